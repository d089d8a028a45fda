// Draws a simulated dice tray by tracing rays, eight pixels at a time. All lengths are mm, all colours linear RGB.
//
// Sections: 1 vectors, 2 the scene as packed by packing.py, 3 random numbers and noise, 4 dice, 5 bodies, 6 the tray,
// 7 what a ray meets, 8 surfaces, 9 light, 10 the picture.
//
// The width is eight everywhere, so that every x86 machine runs the same instructions and gives the same pixels.

#include <cmath>
#include <cstdint>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

// ---- 1. vectors ----------------------------------------------------------------------------------------------------

constexpr int W = 8;
typedef float Float __attribute__((vector_size(4 * W)));
typedef int32_t Int __attribute__((vector_size(4 * W)));  // also a mask: 0 or -1 per lane
typedef uint32_t Bits __attribute__((vector_size(4 * W)));

constexpr float FAR = 1e9f;

INLINE Float all(float a) { return Float{} + a; }
INLINE Int all_int(int a) { return Int{} + a; }

#ifdef __AVX2__
INLINE bool any(Int mask) { return _mm256_movemask_ps((__m256)mask) != 0; }
INLINE Float root(Float a) { return (Float)_mm256_sqrt_ps((__m256)a); }
INLINE Float floored(Float a) { return (Float)_mm256_floor_ps((__m256)a); }
INLINE Float gather(const float* table, Int i) { return (Float)_mm256_i32gather_ps(table, (__m256i)i, 4); }
INLINE Int gather(const int32_t* table, Int i) { return (Int)_mm256_i32gather_epi32(table, (__m256i)i, 4); }
#else
INLINE bool any(Int mask) {
    int32_t found = 0;
    for (int k = 0; k < W; k++) found |= mask[k];
    return found != 0;
}
INLINE Float root(Float a) {
    for (int k = 0; k < W; k++) a[k] = std::sqrt(a[k]);
    return a;
}
INLINE Float floored(Float a) {
    for (int k = 0; k < W; k++) a[k] = std::floor(a[k]);
    return a;
}
INLINE Float gather(const float* table, Int i) {
    Float out;
    for (int k = 0; k < W; k++) out[k] = table[i[k]];
    return out;
}
INLINE Int gather(const int32_t* table, Int i) {
    Int out;
    for (int k = 0; k < W; k++) out[k] = table[i[k]];
    return out;
}
#endif

INLINE Float pick(Int mask, Float a, Float b) { return mask ? a : b; }
INLINE Int pick(Int mask, Int a, Int b) { return mask ? a : b; }
INLINE Float lower(Float a, Float b) { return a < b ? a : b; }
INLINE Float upper(Float a, Float b) { return a > b ? a : b; }
INLINE Float magnitude(Float a) { return (Float)((Int)a & 0x7fffffff); }
INLINE Float clamped(Float a, float low, float high) { return lower(upper(a, all(low)), all(high)); }
INLINE Float unit_range(Float a) { return clamped(a, 0.f, 1.f); }
INLINE Float fraction(Float a) { return a - floored(a); }
INLINE Float to_float(Int a) { return __builtin_convertvector(a, Float); }
INLINE Int to_int(Float a) { return __builtin_convertvector(a, Int); }
INLINE Float away_from_zero(Float a) { return pick(magnitude(a) < all(1e-7f), all(1e-7f), a); }
INLINE Float smooth_step(float from, float to, Float x) {
    Float t = unit_range((x - from) / (to - from));
    return t * t * (3.f - 2.f * t);
}

struct Vec {
    Float x, y, z;
};
INLINE Vec vec(const float* a) { return {all(a[0]), all(a[1]), all(a[2])}; }
INLINE Vec grey(float a) { return {all(a), all(a), all(a)}; }
INLINE Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
INLINE Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
INLINE Vec operator*(Vec a, Vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
INLINE Vec operator*(Vec a, Float b) { return {a.x * b, a.y * b, a.z * b}; }
INLINE Vec operator*(Vec a, float b) { return {a.x * b, a.y * b, a.z * b}; }
INLINE Vec pick(Int mask, Vec a, Vec b) { return {pick(mask, a.x, b.x), pick(mask, a.y, b.y), pick(mask, a.z, b.z)}; }
INLINE Vec mix(Vec a, Vec b, Float share) { return a + (b - a) * share; }
INLINE Float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
INLINE Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
INLINE Vec normalized(Vec a) { return a * (1.f / root(dot(a, a) + 1e-20f)); }
INLINE Vec magnitude(Vec a) { return {magnitude(a.x), magnitude(a.y), magnitude(a.z)}; }
INLINE Vec away_from_zero(Vec a) { return {away_from_zero(a.x), away_from_zero(a.y), away_from_zero(a.z)}; }
INLINE Vec inverse(Vec a) { return {1.f / a.x, 1.f / a.y, 1.f / a.z}; }
INLINE Vec sign_of(Vec a) {
    auto sign = [](Float v) { return pick(v < all(0), all(-1), all(1)); };
    return {sign(a.x), sign(a.y), sign(a.z)};
}

// Sine and cosine of an angle in turns.
INLINE void sine_cosine(Float turns, Float& sine, Float& cosine) {
    Float t = turns - floored(turns + 0.5f), a = magnitude(t);
    Int back = a > all(0.25f);
    Float x = pick(back, 0.5f - a, a) * 6.2831853f, x2 = x * x;
    Float s = x * (1.f + x2 * (-1.f / 6 + x2 * (1.f / 120 + x2 * (-1.f / 5040 + x2 * (1.f / 362880)))));
    Float c = 1.f + x2 * (-.5f + x2 * (1.f / 24 + x2 * (-1.f / 720 + x2 * (1.f / 40320 - x2 * (1.f / 3628800)))));
    sine = pick(t < all(0), -s, s);
    cosine = pick(back, -c, c);
}

INLINE Float exponential(Float x) {
    x = clamped(x * 1.44269504f, -60.f, 60.f);
    Float whole = floored(x), r = (x - whole) * 0.69314718f;
    Float p = 1.f + r * (1.f + r * (.5f + r * (1.f / 6 + r * (1.f / 24 + r * (1.f / 120)))));
    return p * (Float)((to_int(whole) + 127) << 23);
}

struct Ray {
    Vec from, along;  // along has unit length
};
INLINE Vec point_at(const Ray& ray, Float t) { return ray.from + ray.along * t; }

// Two directions square to a unit vector and to each other.
INLINE void tangents(Vec n, Vec& a, Vec& b) {
    Int steep = magnitude(n.z) < all(0.9f);
    a = normalized(cross(pick(steep, Vec{all(0), all(0), all(1)}, Vec{all(1), all(0), all(0)}), n));
    b = cross(n, a);
}

// ---- 2. the scene as packed by packing.py (the structures there mirror these) --------------------------------------

constexpr int MAX_SIDES = 8;
constexpr int TIMES = 64;        // poses spread over the exposure; pose number TIMES is the middle of the exposure
constexpr int TEXTURE_SIZE = 512;

// Identities in the id map.
constexpr int NOTHING = 0, FLOOR = 1, WALL = 2, RIM = 3, OUTSIDE = 4, TABLE = 5, DIE = 16, BODY = 64;

struct Lens {
    float position[3], axes[9];  // axes: rows give world x, y, z from the lens' own x, y, z
    float focal, centre[2], k1, k2, aperture, focus;
};
struct Material {
    const int32_t* texels;  // TEXTURE_SIZE^2, the square root of the colour in 3 x 8 bits
    float size, turn_cos, turn_sin, shift[2], mean[3], roughness, gloss;
};
struct Tray {
    int32_t side_count;
    float sides[MAX_SIDES][3];
    float circle, height, width, slope, base, bevel;
};
struct Lamp {
    float position[3], radius, colour[3];
};
struct Sky {
    float zenith[3], horizon[3], window[4], window_colour[3];
};
struct Face {
    int32_t mask;
    float radius, depth, pitch, colour[3];
};
struct Die {
    float half, edge, clip, bound;  // bound: radius of a ball round it
    float colour[3], second_colour[3], absorption[3];  // absorption per mm, negative
    float marbling, marbling_per_mm, marbling_blur, roughness, gloss, translucency, pip_wear, edge_wear;
    Face faces[6];
};
struct Body {
    const float* grid;
    int32_t size[3];  // x, y, z
    float voxel, origin[3], colour[3], second_colour[3], roughness, gloss;
    int32_t cloth;
};
struct Placement {
    float axes[9], position[3];
};
struct Scene {
    Lens lens;
    Tray tray;
    Material floor, wall, rim, table;
    Sky sky;
    const Lamp* lamps;
    const Die* dice;
    const Body* bodies;
    const Placement* placements;  // [TIMES + 1][dice + bodies]
    int32_t lamp_count, die_count, body_count;
    uint32_t seed;
    float mean_light[3];  // what a white floor shows, for the light that comes back from things
};

// All poses at one moment of the exposure.
struct Moment {
    const Placement *dice, *bodies;
};
INLINE Moment moment(const Scene& scene, int time) {
    const Placement* first = scene.placements + time * (scene.die_count + scene.body_count);
    return {first, first + scene.die_count};
}
INLINE Vec to_world(const float* a, Vec v) {
    return {v.x * a[0] + v.y * a[1] + v.z * a[2], v.x * a[3] + v.y * a[4] + v.z * a[5],
            v.x * a[6] + v.y * a[7] + v.z * a[8]};
}
INLINE Vec to_own(const float* a, Vec v) {
    return {v.x * a[0] + v.y * a[3] + v.z * a[6], v.x * a[1] + v.y * a[4] + v.z * a[7],
            v.x * a[2] + v.y * a[5] + v.z * a[8]};
}
INLINE Ray to_own(const Placement& place, const Ray& ray) {
    return {to_own(place.axes, ray.from - vec(place.position)), to_own(place.axes, ray.along)};
}

// ---- 3. random numbers and noise -----------------------------------------------------------------------------------

template <typename T>
INLINE T scrambled(T x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}
INLINE Float unit_float(Bits bits) { return to_float((Int)(bits >> 8)) * (1.f / 16777216.f); }

// The random numbers of a sample. Each starts at a hash of the pixel and takes an irrational step per sample, which
// spreads samples more evenly than independent numbers would.
enum Draw { PIXEL_X, PIXEL_Y, APERTURE_R, APERTURE_A, LAMP_R, LAMP_A, BOUNCE_R, BOUNCE_A, TEXEL_X, TEXEL_Y, DRAWS };
constexpr float STEPS[DRAWS] = {.75487767f, .56984029f, .61803399f, .41421356f, .64575131f,
                                .23606798f, .73205081f, .31662479f, .12310563f, .79583152f};
struct Sampler {
    Float start[DRAWS];
    int sample;
    INLINE Sampler of(Bits pixel, uint32_t seed) {
        Sampler sampler;
        sampler.sample = 0;
        Bits base = scrambled(pixel * 2654435761u + seed);
        for (int k = 0; k < DRAWS; k++) sampler.start[k] = unit_float(scrambled(base + (k + 1u)));
        return sampler;
    }
    inline __attribute__((always_inline)) Float draw(Draw which) const {
        return fraction(start[which] + STEPS[which] * (sample + 1));
    }
};

// Smooth noise, 0..1, with one knot per unit.
static Float noise(Vec p) {
    Vec cell = {floored(p.x), floored(p.y), floored(p.z)}, f = p - cell;
    f = f * f * (grey(3) - f * 2.f);
    Bits x = (Bits)to_int(cell.x) * 73856093u, y = (Bits)to_int(cell.y) * 19349663u;
    Bits z = (Bits)to_int(cell.z) * 83492791u;
    Float sum = all(0);
    for (unsigned c = 0; c < 8; c++) {
        unsigned i = c & 1, j = (c >> 1) & 1, k = c >> 2;
        Bits knot = scrambled((x + i * 73856093u) ^ (y + j * 19349663u) ^ (z + k * 83492791u));
        sum += (i ? f.x : 1 - f.x) * (j ? f.y : 1 - f.y) * (k ? f.z : 1 - f.z) * unit_float(knot);
    }
    return sum;
}

// ---- 4. dice -------------------------------------------------------------------------------------------------------

// Rays whose line passes the ball round a die, ahead or from inside.
INLINE Int near_ball(const Ray& ray, const float* centre, float radius) {
    Vec o = ray.from - vec(centre);
    Float b = dot(o, ray.along), c = dot(o, o) - radius * radius;
    return (b * b - c > all(0)) & ((b < all(0)) | (c < all(0)));
}

// Distance to a cube with rounded edges, where the sharp cube is entered at `entry`: the flat of a face, or else the
// ball or one of the three rods of the nearest corner.
static Float rounded_entry(const Die& die, const Ray& ray, Float entry, Int candidate) {
    float core = die.half - die.edge, r2 = die.edge * die.edge;
    Vec p = point_at(ray, entry), sign = sign_of(p);
    Vec beyond = p * sign - grey(core);
    Vec pairs = {upper(beyond.x, beyond.y), upper(beyond.y, beyond.z), upper(beyond.z, beyond.x)};
    Int flat = lower(lower(pairs.x, pairs.y), pairs.z) < all(0);
    if (!any(candidate & ~flat)) return pick(candidate, entry, all(FAR));

    Vec from = ray.from * sign, d = ray.along * sign, o = from - grey(core);
    Vec dd = d * d, oo = o * o, od = o * d;
    Float b = od.x + od.y + od.z, h = b * b - (oo.x + oo.y + oo.z - r2);
    Float t = -b - root(upper(h, all(0)));
    t = pick((h > all(0)) & (t > all(0)), t, all(FAR));
    auto rod = [&](Float a, Float b, Float c, Float start, Float slope) {
        Float h = b * b - a * c, hit = (-b - root(upper(h, all(0)))) / a;
        Int good = (h > all(0)) & (hit > all(0)) & (hit < t) & (magnitude(start + slope * hit) < all(core));
        t = pick(good, hit, t);
    };
    rod(dd.y + dd.z, od.y + od.z, oo.y + oo.z - r2, from.x, d.x);
    rod(dd.z + dd.x, od.z + od.x, oo.z + oo.x - r2, from.y, d.y);
    rod(dd.x + dd.y, od.x + od.y, oo.x + oo.y - r2, from.z, d.z);
    return pick(candidate, pick(flat, entry, t), all(FAR));
}

// Distance to a die along a ray given in the die's own coordinates, FAR where it misses.
static Float die_entry(const Die& die, const Ray& own) {
    Ray ray = {own.from, away_from_zero(own.along)};
    Vec m = inverse(ray.along), middle = m * ray.from, reach = magnitude(m) * die.half;
    Float entry = upper(upper(-middle.x - reach.x, -middle.y - reach.y), -middle.z - reach.z);
    Float exit = lower(lower(reach.x - middle.x, reach.y - middle.y), reach.z - middle.z);
    // A ray may start inside the sharp cube and yet outside the die: on the floor under a rounded edge.
    Int candidate = (entry < exit) & (exit > all(1e-3f));
    if (!any(candidate)) return all(FAR);
    Float box = rounded_entry(die, ray, upper(entry, all(2e-3f)), candidate);
    if (die.clip <= 0) return box;

    // What is left of the cube inside the ball: whichever is entered later, if that point lies inside the other.
    Float b = dot(ray.from, ray.along), h = b * b - (dot(ray.from, ray.from) - die.clip * die.clip);
    Float half_chord = root(upper(h, all(0))), ball_in = -b - half_chord, ball_out = -b + half_chord;
    Vec beyond = magnitude(point_at(ray, ball_in)) - grey(die.half - die.edge);
    beyond = {upper(beyond.x, all(0)), upper(beyond.y, all(0)), upper(beyond.z, all(0))};
    Int ball_in_cube = (ball_in > all(1e-3f)) & (dot(beyond, beyond) <= all(die.edge * die.edge + 1e-3f));
    Int box_in_ball = (box < all(FAR)) & (box >= ball_in) & (box <= ball_out);
    Float hit = pick(box_in_ball, box, pick(candidate & ball_in_cube, ball_in, all(FAR)));
    return pick(h > all(0), hit, all(FAR));
}

INLINE Vec die_normal(const Die& die, Vec p) {
    Vec beyond = magnitude(p) - grey(die.half - die.edge);
    Vec n = {upper(beyond.x, all(0)), upper(beyond.y, all(0)), upper(beyond.z, all(0))};
    n = n * sign_of(p);
    if (die.clip > 0) n = pick(dot(p, p) > all((die.clip - .01f) * (die.clip - .01f)), p, n);
    return normalized(n);
}

// The face a point of the die's surface belongs to, and its place (u, v) on it.
struct OnFace {
    Int face;
    Float u, v;
};
INLINE OnFace on_face(Vec p) {
    Vec a = magnitude(p);
    Int x = (a.x >= a.y) & (a.x >= a.z), y = ~x & (a.y >= a.z);
    Int negative = pick(x, p.x, pick(y, p.y, p.z)) < all(0);
    Int face = pick(x, all_int(0), pick(y, all_int(2), all_int(4))) + (negative & 1);
    return {face, pick(x, p.y, pick(y, p.z, p.x)), pick(x, p.z, pick(y, p.x, p.y))};
}

// Where (u, v) lies in the opening of a pip: its offset from the pip's centre, squared, as a share of the radius.
struct InPip {
    Int inside;
    Float centre_u, centre_v, share;
};
INLINE InPip in_pip(const Face& face, Float u, Float v) {
    Float column = clamped(floored(u / face.pitch + .5f), -1.f, 1.f);
    Float row = clamped(floored(v / face.pitch + .5f), -1.f, 1.f);
    Int present = ((all_int(face.mask) >> ((to_int(column) + 1) * 3 + to_int(row) + 1)) & 1) != 0;
    Float cu = column * face.pitch, cv = row * face.pitch, du = u - cu, dv = v - cv;
    Float share = (du * du + dv * dv) * (1.f / (face.radius * face.radius));
    return {present & (share < all(1)), cu, cv, share};
}

// ---- 5. bodies: grids of distances ---------------------------------------------------------------------------------

// Distance to the surface at an own point; smooth blends the eight voxels around, else the nearest one is taken.
static Float body_distance(const Body& body, Vec p, bool smooth) {
    float scale = 1.f / body.voxel;
    int nx = body.size[0], ny = body.size[1], nz = body.size[2];
    Float x = clamped((p.x - body.origin[0]) * scale, 0.f, nx - 1.001f);
    Float y = clamped((p.y - body.origin[1]) * scale, 0.f, ny - 1.001f);
    Float z = clamped((p.z - body.origin[2]) * scale, 0.f, nz - 1.001f);
    if (!smooth) return gather(body.grid, (to_int(z + .5f) * ny + to_int(y + .5f)) * nx + to_int(x + .5f));
    Int i = to_int(x), j = to_int(y), k = to_int(z), first = (k * ny + j) * nx + i;
    Float fx = x - to_float(i), fy = y - to_float(j), fz = z - to_float(k), sum = all(0);
    for (int c = 0; c < 8; c++) {
        int dx = c & 1, dy = (c >> 1) & 1, dz = c >> 2;
        Float weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
        sum += weight * gather(body.grid, first + (dx + nx * (dy + ny * dz)));
    }
    return sum;
}

// How carefully a ray marches through a body's grid: from `begin` on, at least `least` at a time, until the surface is
// nearer than `touch`.
struct March {
    bool smooth;
    int steps;
    float begin, touch, least;
};
constexpr March SEEN = {true, 64, 0.f, .15f, .25f};
constexpr March FROM_FAR = {false, 28, 0.f, .6f, 1.f};
// Rays that start on a body leave its surface, and another body's that overlaps it there, before they can meet one.
constexpr March FROM_BODY = {true, 40, 3.f, 0.f, .6f};

// Distance along an own ray to a body, FAR where it is not met before `limit`.
static Float body_entry(const Body& body, const Ray& own, Float limit, const March& march, Int active) {
    Ray ray = {own.from, away_from_zero(own.along)};
    Vec m = inverse(ray.along);
    const Float *from = &ray.from.x, *inverse_along = &m.x;
    Float t = all(march.begin), end = limit;
    for (int a = 0; a < 3; a++) {
        Float one = (body.origin[a] + body.voxel - from[a]) * inverse_along[a];
        Float two = (body.origin[a] + (body.size[a] - 2) * body.voxel - from[a]) * inverse_along[a];
        t = upper(t, lower(one, two));
        end = lower(end, upper(one, two));
    }
    active = active & (t < end);
    Float met = all(FAR);
    for (int step = 0; step < march.steps && any(active); step++) {
        Float d = body_distance(body, point_at(ray, t), march.smooth);
        Int hit = active & (d < all(march.touch));
        met = pick(hit, t, met);
        t += upper(d * .95f, all(march.least));
        active = active & ~hit & (t < end);
    }
    return met;
}

// ---- 6. the tray ---------------------------------------------------------------------------------------------------

struct Hit {
    Float t;
    Int id;
    Vec normal;
};
INLINE void meet(Hit& hit, Int mask, Float t, int id, Vec normal) {
    Int closer = mask & (t > all(1e-3f)) & (t < hit.t);
    hit.t = pick(closer, t, hit.t);
    hit.id = pick(closer, all_int(id), hit.id);
    hit.normal = pick(closer, normal, hit.normal);
}

// The tray is a convex solid (outer sides, up to the rim) with a convex hollow (inner sides, down to the floor).
// A ray that is in the hollow, or gets in through its open top, leaves it by the wall, the floor or the top; any other
// ray can meet the rim or an outer side.
static void meet_tray(const Tray& tray, const Ray& ray, Hit& hit) {
    Vec up = {all(0), all(0), all(1)};
    Float fall = 1.f / pick(magnitude(ray.along.z) < all(1e-7f), all(-1e-7f), ray.along.z);
    meet(hit, all_int(-1), (-tray.base - ray.from.z) * fall, TABLE, up);

    float h = tray.height, lean = 1.f / std::sqrt(1 + tray.slope * tray.slope);
    Int down = ray.along.z < all(0);
    Float top = (h - ray.from.z) * fall;
    Vec at_top = point_at(ray, upper(top, all(0)));
    Int in_hollow = (ray.from.z < all(h - 1e-3f)) & (ray.from.z > all(-.01f));
    Int through_top = down & (top > all(0)), onto_top = through_top;
    Float leave = all(FAR), enter_outer = all(-FAR), leave_outer = all(FAR);
    Vec leave_normal = up, outer_normal = up;

    for (int i = 0; i < tray.side_count; i++) {
        float nx = tray.sides[i][0], ny = tray.sides[i][1], d = tray.sides[i][2];
        Float across = nx * ray.along.x + ny * ray.along.y, reach = nx * ray.from.x + ny * ray.from.y - d;
        Float gap = reach - tray.slope * ray.from.z, pace = across - tray.slope * ray.along.z;
        Float top_reach = nx * at_top.x + ny * at_top.y - d;
        in_hollow = in_hollow & (gap < all(.02f));
        through_top = through_top & (top_reach < all(tray.slope * h));
        onto_top = onto_top & (top_reach < all(tray.width));

        Float t = -gap / away_from_zero(pace);
        Int outward = (pace > all(1e-7f)) & (t < leave);
        leave = pick(outward, t, leave);
        leave_normal = pick(outward, Vec{all(-nx * lean), all(-ny * lean), all(tray.slope * lean)}, leave_normal);

        Float outer_gap = reach - tray.width;
        t = -outer_gap / away_from_zero(across);
        Int inward = (across < all(-1e-7f)) & (t > enter_outer);
        enter_outer = pick(inward, t, enter_outer);
        outer_normal = pick(inward, Vec{all(nx), all(ny), all(0)}, outer_normal);
        leave_outer = pick(across > all(1e-7f), lower(leave_outer, t), leave_outer);
        enter_outer = pick((magnitude(across) <= all(1e-7f)) & (outer_gap > all(0)), all(FAR), enter_outer);
    }
    if (tray.circle > 0) {
        float inner = tray.circle, outer = tray.circle + tray.width;
        Float a = ray.along.x * ray.along.x + ray.along.y * ray.along.y + 1e-12f;
        Float b = ray.from.x * ray.along.x + ray.from.y * ray.along.y;
        Float r2 = ray.from.x * ray.from.x + ray.from.y * ray.from.y;
        Float top_r2 = at_top.x * at_top.x + at_top.y * at_top.y;
        in_hollow = in_hollow & (r2 < all(inner * inner * 1.0004f));
        through_top = through_top & (top_r2 < all(inner * inner));
        onto_top = onto_top & (top_r2 < all(outer * outer));

        Float h2 = b * b - a * (r2 - inner * inner), t = (-b + root(upper(h2, all(0)))) / a;
        Vec p = point_at(ray, t);
        Int outward = (h2 > all(0)) & (t < leave);
        leave = pick(outward, t, leave);
        leave_normal = pick(outward, Vec{p.x * (-1 / inner), p.y * (-1 / inner), all(0)}, leave_normal);

        h2 = b * b - a * (r2 - outer * outer);
        Float half_chord = root(upper(h2, all(0)));
        t = (-b - half_chord) / a;
        p = point_at(ray, t);
        Int inward = t > enter_outer;
        outer_normal = pick(inward, Vec{p.x * (1 / outer), p.y * (1 / outer), all(0)}, outer_normal);
        enter_outer = pick(h2 > all(0), upper(enter_outer, t), all(FAR));
        leave_outer = lower(leave_outer, (-b + half_chord) / a);
    }

    Float to_floor = -ray.from.z * fall;
    Int inside = in_hollow | through_top, floor_first = down & (to_floor <= leave);
    meet(hit, inside & floor_first, to_floor, FLOOR, up);
    meet(hit, inside & ~floor_first & (down | (leave < top)), leave, WALL, leave_normal);
    meet(hit, onto_top & ~inside, top, RIM, up);
    Float side_height = ray.from.z + ray.along.z * enter_outer;
    Int side = ~inside & (enter_outer < leave_outer) & (side_height < all(h)) & (side_height > all(-tray.base));
    meet(hit, side, enter_outer, OUTSIDE, outer_normal);
}

// Along and across the tray's nearest side: `along` runs round the tray, `beyond` is how far outside the floor's edge
// (at the point's height), (x, y) the side's outward normal.
struct BesideEdge {
    Float along, beyond, x, y;
};
static BesideEdge beside_edge(const Tray& tray, Vec p) {
    BesideEdge edge = {all(0), all(-FAR), all(1), all(0)};
    for (int i = 0; i < tray.side_count; i++) {
        float nx = tray.sides[i][0], ny = tray.sides[i][1];
        Float beyond = nx * p.x + ny * p.y - tray.sides[i][2];
        Int nearest = beyond > edge.beyond;
        edge.beyond = pick(nearest, beyond, edge.beyond);
        edge.along = pick(nearest, nx * p.y - ny * p.x + 977.f * i, edge.along);  // another piece of wood per side
        edge.x = pick(nearest, all(nx), edge.x);
        edge.y = pick(nearest, all(ny), edge.y);
    }
    if (tray.circle > 0) {
        Float r = root(p.x * p.x + p.y * p.y) + 1e-6f;
        Int nearest = r - tray.circle > edge.beyond;
        // A share of the way round that grows evenly enough with the angle and needs no arc tangent.
        Float ratio = p.x / (magnitude(p.x) + magnitude(p.y) + 1e-6f);
        Float turn = pick(p.y < all(0), 3.f + ratio, 1.f - ratio);
        edge.beyond = pick(nearest, r - tray.circle, edge.beyond);
        edge.along = pick(nearest, turn * (1.5707963f * tray.circle), edge.along);
        edge.x = pick(nearest, p.x / r, edge.x);
        edge.y = pick(nearest, p.y / r, edge.y);
    }
    return edge;
}

// ---- 7. what a ray meets -------------------------------------------------------------------------------------------

// The first thing a ray meets, leaving out the die or body `skip` it starts on.
static Hit trace(const Scene& scene, Moment now, const Ray& ray, Int skip, const March& march) {
    Hit hit = {all(FAR), all_int(NOTHING), {all(0), all(0), all(1)}};
    meet_tray(scene.tray, ray, hit);
    for (int k = 0; k < scene.die_count; k++) {
        Int near = near_ball(ray, now.dice[k].position, scene.dice[k].bound) & (skip != DIE + k);
        if (!any(near)) continue;
        meet(hit, near, die_entry(scene.dice[k], to_own(now.dice[k], ray)), DIE + k, hit.normal);
    }
    for (int k = 0; k < scene.body_count; k++) {
        Int active = skip != BODY + k;
        Float t = body_entry(scene.bodies[k], to_own(now.bodies[k], ray), hit.t, march, active);
        meet(hit, active, t, BODY + k, hit.normal);
    }
    return hit;
}

INLINE const March& march_from(Int start) { return any(start >= BODY) ? FROM_BODY : FROM_FAR; }

// The share of a lamp's light that comes through to the ray's start; clear dice tint it.
static Vec light_through(const Scene& scene, Moment now, const Ray& ray, Float distance, Int skip) {
    Vec light = grey(1);
    Hit hit = {distance, all_int(NOTHING), {all(0), all(0), all(1)}};
    meet_tray(scene.tray, ray, hit);
    Int dark = hit.id != NOTHING;
    for (int k = 0; k < scene.die_count; k++) {
        const Die& die = scene.dice[k];
        Int near = near_ball(ray, now.dice[k].position, die.bound) & (skip != DIE + k) & ~dark;
        if (!any(near)) continue;
        Int shaded = near & (die_entry(die, to_own(now.dice[k], ray)) < distance);
        if (die.translucency > 0)
            light = pick(shaded, light * vec(die.colour) * (.8f * die.translucency), light);
        else
            dark = dark | shaded;
    }
    for (int k = 0; k < scene.body_count && any(~dark); k++) {
        Float t = body_entry(scene.bodies[k], to_own(now.bodies[k], ray), distance, march_from(skip), ~dark);
        dark = dark | (t < distance);
    }
    return pick(dark, grey(0), light);
}

// ---- 8. surfaces ---------------------------------------------------------------------------------------------------

struct Surface {
    Vec position, normal, albedo, glow;
    Float roughness, gloss, openness;  // openness: share of the light that a dent lets in
};
INLINE void set_surface(Surface& surface, Int mask, Vec albedo, float roughness, float gloss) {
    surface.albedo = pick(mask, albedo, surface.albedo);
    surface.roughness = pick(mask, all(roughness), surface.roughness);
    surface.gloss = pick(mask, all(gloss), surface.gloss);
}

// The colour of a texture at (u, v) mm: one texel at a random offset below a texel, so that samples do the filtering.
static Vec texture(const Material& material, Float u, Float v, const Sampler& sampler) {
    float per_mm = TEXTURE_SIZE / material.size;
    Float a = (material.turn_cos * u - material.turn_sin * v) * per_mm + material.shift[0];
    Float b = (material.turn_sin * u + material.turn_cos * v) * per_mm + material.shift[1];
    Int column = to_int(floored(a + sampler.draw(TEXEL_X))) & (TEXTURE_SIZE - 1);
    Int row = to_int(floored(b + sampler.draw(TEXEL_Y))) & (TEXTURE_SIZE - 1);
    Int texel = gather(material.texels, row * TEXTURE_SIZE + column);
    Vec code = {to_float(texel & 255), to_float((texel >> 8) & 255), to_float((texel >> 16) & 255)};
    return code * code * (1.f / (255 * 255));
}

static void shade_tray(const Scene& scene, Int id, const Sampler& sampler, Surface& surface) {
    Vec p = surface.position;
    auto cover = [&](Int mask, const Material& material, Float u, Float v) {
        if (any(mask)) set_surface(surface, mask, texture(material, u, v, sampler), material.roughness, material.gloss);
    };
    cover(id == FLOOR, scene.floor, p.x, p.y);
    cover(id == TABLE, scene.table, p.x, p.y);
    Int rim = id == RIM, wall = id == WALL, outside = id == OUTSIDE;
    if (!any(rim | wall | outside)) return;

    BesideEdge edge = beside_edge(scene.tray, p);
    cover(wall, scene.wall, edge.along, p.z);
    cover(outside, scene.rim, edge.along, p.z);
    cover(rim, scene.rim, edge.along, edge.beyond);
    float bevel = scene.tray.bevel;
    if (bevel <= 0 || !any(rim)) return;
    Float from_inner = edge.beyond - scene.tray.slope * scene.tray.height, from_outer = scene.tray.width - edge.beyond;
    Float bend = unit_range(1.f - from_outer / bevel) - unit_range(1.f - from_inner / bevel);
    Vec bent = normalized(surface.normal + Vec{bend * edge.x, bend * edge.y, all(0)});
    surface.normal = pick(rim, bent, surface.normal);
}

static Vec marbled(const Die& die, int k, Vec p) {
    if (die.marbling <= 0) return vec(die.colour);
    Vec q = p * die.marbling_per_mm + Vec{all(7.3f * k), all(3.1f), all(1.7f * k)};
    Float blots = noise(q) * .6f + noise(q * 2.1f) * .4f;
    Float share = smooth_step(.5f - die.marbling_blur, .5f + die.marbling_blur, blots) * die.marbling;
    return mix(vec(die.colour), vec(die.second_colour), share);
}

// What a clear die shows of the light inside: refract, cross the body, see the far face (its pips, or the floor's and
// the room's light), tinted by the way through.
static Vec clear_glow(const Scene& scene, const Die& die, const Placement& place, Vec p, Vec n, Vec along) {
    constexpr float ratio = 1 / 1.49f;
    Float c = -dot(n, along), k = 1 - ratio * ratio * (1 - c * c);
    Vec bent = away_from_zero(normalized(along * ratio + n * (ratio * c - root(upper(k, all(0))))));
    Vec t = (sign_of(bent) * die.half - p) * inverse(bent);
    Float length = upper(lower(lower(t.x, t.y), t.z), all(0));
    Vec far = p + bent * length;
    OnFace place_on = on_face(far);
    Vec light = vec(scene.mean_light);
    Float low = unit_range(to_world(place.axes, far).z * (-1.f / die.half));
    Vec seen = light * .1f + mix(light, light * vec(scene.floor.mean), low) * .55f;
    for (int f = 0; f < 6; f++) {
        Int here = place_on.face == f;
        if (!any(here)) continue;
        InPip pip = in_pip(die.faces[f], place_on.u, place_on.v);
        seen = pick(here & pip.inside, light * vec(die.faces[f].colour) * .5f, seen);
    }
    Vec tint = {exponential(length * die.absorption[0]), exponential(length * die.absorption[1]),
                exponential(length * die.absorption[2])};
    return seen * tint * die.translucency;
}

static void shade_die(const Scene& scene, Moment now, int k, const Ray& ray, Float t, Int mask, Surface& surface) {
    const Die& die = scene.dice[k];
    const Placement& place = now.dice[k];
    Ray own = to_own(place, ray);
    Vec p = point_at(own, t), n = die_normal(die, p), albedo = marbled(die, k, p), glow = grey(0);
    Float roughness = all(die.roughness), gloss = all(die.gloss), openness = all(1);

    if (die.edge_wear > 0) {
        Vec a = magnitude(p) * (1.f / die.half);
        Float second = upper(lower(a.x, a.y), upper(lower(a.x, a.z), lower(a.y, a.z)));
        Float worn = smooth_step(.82f, 1.f, second + .25f * (noise(p * .9f + grey(3.f * k)) - .5f)) * die.edge_wear;
        albedo = albedo * (1 - worn * .45f) + Vec{all(.25f), all(.23f), all(.2f)} * (worn * .3f);
    }
    if (die.translucency > 0) glow = clear_glow(scene, die, place, p, n, own.along);

    OnFace spot = on_face(p);
    Int painted = all_int(0);
    for (int f = 0; f < 6; f++) {
        const Face& face = die.faces[f];
        Int here = mask & (spot.face == f);
        if (!any(here)) continue;
        InPip pip = in_pip(face, spot.u, spot.v);
        Int dented = here & pip.inside;
        if (!any(dented)) continue;
        // The dent is a cap of a ball: the ray goes on to the ball's far side.
        float ball = (face.radius * face.radius + face.depth * face.depth) / (2 * face.depth);
        Float height = all((f & 1 ? -1.f : 1.f) * (die.half + ball - face.depth));
        Vec centre = f < 2   ? Vec{height, pip.centre_u, pip.centre_v}
                     : f < 4 ? Vec{pip.centre_v, height, pip.centre_u}
                             : Vec{pip.centre_u, pip.centre_v, height};
        Vec o = p - centre;
        Float b = dot(o, own.along), h = b * b - (dot(o, o) - ball * ball);
        Vec deep = p + own.along * upper(root(upper(h, all(0))) - b, all(0));
        Vec paint = vec(face.colour);
        if (die.pip_wear > 0) {
            Float spots = noise(deep * 2.3f + grey(5.f * k + 3.f * f));
            paint = mix(paint, albedo, smooth_step(.55f, .7f, spots + die.pip_wear * .35f) * die.pip_wear);
        }
        paint = paint * (1.f - .25f * smooth_step(.8f, 1.f, pip.share));
        albedo = pick(dented, paint, albedo);
        n = pick(dented, normalized(centre - deep), n);
        p = pick(dented, deep, p);
        openness = pick(dented, 1.f - .35f * face.depth / face.radius * (1 - pip.share), openness);
        roughness = pick(dented, all(.35f), roughness);
        gloss = gloss * pick(dented, all(.8f), all(1));
        painted = painted | dented;
    }
    glow = pick(painted, grey(0), glow);
    albedo = pick(painted, albedo, albedo * (1 - .75f * die.translucency));

    surface.position = pick(mask, to_world(place.axes, p) + vec(place.position), surface.position);
    surface.normal = pick(mask, to_world(place.axes, n), surface.normal);
    surface.albedo = pick(mask, albedo, surface.albedo);
    surface.glow = pick(mask, glow, surface.glow);
    surface.roughness = pick(mask, roughness, surface.roughness);
    surface.gloss = pick(mask, gloss, surface.gloss);
    surface.openness = pick(mask, openness, surface.openness);
}

static void shade_body(const Scene& scene, Moment now, int k, Int mask, Surface& surface) {
    const Body& body = scene.bodies[k];
    const Placement& place = now.bodies[k];
    Vec p = to_own(place.axes, surface.position - vec(place.position));
    float e = .8f * body.voxel;
    auto rise = [&](Vec step) { return body_distance(body, p + step, true) - body_distance(body, p - step, true); };
    Vec slope = {rise({all(e), all(0), all(0)}), rise({all(0), all(e), all(0)}), rise({all(0), all(0), all(e)})};
    Vec n = normalized(to_world(place.axes, slope));
    if (body.cloth) {
        Float fold = noise(p * .7f) - .5f;
        n = normalized(n + Vec{fold, fold * .5f, fold * -.6f} * .18f);
    }
    Float blotch = noise(p * .05f) * .5f + noise(p * .25f) * .3f + noise(p * 1.1f) * .2f;
    set_surface(surface, mask, mix(vec(body.colour), vec(body.second_colour), blotch), body.roughness, body.gloss);
    surface.normal = pick(mask, n, surface.normal);
}

static Surface surface_at(const Scene& scene, Moment now, const Ray& ray, const Hit& hit, const Sampler& sampler) {
    Surface surface = {point_at(ray, hit.t), hit.normal, grey(0), grey(0), all(.9f), all(0), all(1)};
    shade_tray(scene, hit.id, sampler, surface);
    for (int k = 0; k < scene.die_count; k++) {
        Int mask = hit.id == DIE + k;
        if (any(mask)) shade_die(scene, now, k, ray, hit.t, mask, surface);
    }
    for (int k = 0; k < scene.body_count; k++) {
        Int mask = hit.id == BODY + k;
        if (any(mask)) shade_body(scene, now, k, mask, surface);
    }
    surface.normal = pick(dot(surface.normal, ray.along) > all(0), surface.normal * -1.f, surface.normal);
    return surface;
}

// ---- 9. light ------------------------------------------------------------------------------------------------------

INLINE Vec sky_light(const Sky& sky, Vec along) {
    Vec above = mix(vec(sky.horizon), vec(sky.zenith), unit_range(along.z));
    return pick(along.z < all(-.02f), vec(sky.horizon) * .35f, above);
}

// Light of one lamp at a random point of its disc, with its soft shadow; also a broad shine on half-rough things.
static Vec lamp_light(const Scene& scene, Moment now, const Lamp& lamp, const Surface& surface, Vec start, Vec view,
                      Int lit, Int id, const Sampler& sampler) {
    Vec centre = vec(lamp.position), a, b;
    tangents(normalized(centre - start), a, b);
    Float sine, cosine, r = root(sampler.draw(LAMP_R)) * lamp.radius;
    sine_cosine(sampler.draw(LAMP_A), sine, cosine);
    Vec way = centre + a * (r * cosine) + b * (r * sine) - start;
    Float distance2 = dot(way, way), distance = root(distance2);
    Vec towards = way * (1.f / distance);
    Float slant = dot(surface.normal, towards);
    // Light goes into skin and cloth a little, so that it reaches round the edge of the shadow.
    slant = pick(id >= BODY, unit_range((slant + .25f) * .8f), unit_range(slant));
    lit = lit & (slant > all(0));
    if (!any(lit)) return grey(0);
    Vec through = light_through(scene, now, {start, towards}, distance, id);
    Vec arriving = vec(lamp.colour) * through * (slant * (1e6f / distance2));
    Float halfway = unit_range(dot(surface.normal, normalized(towards - view)));
    Float width = surface.roughness * surface.roughness;
    width = width * width + 1e-4f;
    Float spread = halfway * halfway * (width - 1) + 1;
    Float shine = pick(surface.roughness > all(.3f), surface.gloss * .01f * width / (spread * spread), all(0));
    return pick(lit, surface.albedo * arriving * surface.openness + arriving * shine, grey(0));
}

// Light from the sky, or from whatever stands in its way, along one random direction.
static Vec ambient_light(const Scene& scene, Moment now, const Surface& surface, Vec start, Int id,
                         const Sampler& sampler) {
    Vec a, b;
    tangents(surface.normal, a, b);
    Float sine, cosine, u = sampler.draw(BOUNCE_R), r = root(u);
    sine_cosine(sampler.draw(BOUNCE_A), sine, cosine);
    Vec along = a * (r * cosine) + b * (r * sine) + surface.normal * root(upper(1 - u, all(0)));
    Hit hit = trace(scene, now, {start, along}, id, march_from(id));
    Vec light = sky_light(scene.sky, along);
    Int met = (hit.id != NOTHING) & (hit.t < all(400.f));
    if (any(met)) {
        Vec colour = vec(scene.table.mean);
        colour = pick(hit.id == FLOOR, vec(scene.floor.mean), colour);
        colour = pick(hit.id == WALL, vec(scene.wall.mean), colour);
        colour = pick((hit.id == RIM) | (hit.id == OUTSIDE), vec(scene.rim.mean), colour);
        for (int k = 0; k < scene.die_count; k++)
            colour = pick(hit.id == DIE + k, vec(scene.dice[k].colour), colour);
        for (int k = 0; k < scene.body_count; k++)
            colour = pick(hit.id == BODY + k, vec(scene.bodies[k].colour), colour);
        // Level ground gets the full light; of dice and bodies only the sides turned up are lit.
        Float share = pick(hit.id >= DIE, unit_range(.15f - .6f * along.z), .25f + .75f * unit_range(hit.normal.z));
        light = pick(met, colour * vec(scene.mean_light) * (share * .8f), light);
    }
    return surface.albedo * light * surface.openness;
}

// The room in a reflection, blurred over about `blur` radians: sky, window and lamps.
static Vec room_light(const Scene& scene, Vec from, Vec along, float blur) {
    Vec light = sky_light(scene.sky, along);
    const float* window = scene.sky.window;
    Float rise = 1.f / upper(along.z, all(.02f)), x = along.x * rise, y = along.y * rise;
    float soft = blur * .35f + .01f;
    auto within = [soft](Float v, float from, float to) {
        return smooth_step(from - soft, from + soft, v) * (1 - smooth_step(to - soft, to + soft, v));
    };
    Float in_window = within(x, window[0], window[1]) * within(y, window[2], window[3]);
    light = light + vec(scene.sky.window_colour) * pick(along.z > all(.05f), in_window, all(0));
    for (int k = 0; k < scene.lamp_count; k++) {
        const Lamp& lamp = scene.lamps[k];
        Vec way = vec(lamp.position) - from;
        Float distance2 = dot(way, way), nearness = 1.f / root(distance2), cosine = dot(way, along) * nearness;
        Float off = root(upper(1 - cosine * cosine, all(0))), size = lamp.radius * nearness + blur * blur + .004f;
        Float share = pick(cosine > all(0), 1 - unit_range((off - size * .5f) / (size * .8f)), all(0));
        light = light + vec(lamp.colour) * (share * share * .1f * (1e6f / distance2) / (size * size));
    }
    return light;
}

static Vec reflection(const Scene& scene, const Surface& surface, const Ray& ray, Int lit) {
    Int glossy = lit & (surface.gloss > all(.05f));
    if (!any(glossy)) return grey(0);
    Float c = unit_range(-dot(surface.normal, ray.along)), f = 1 - c, f2 = f * f;
    Float share = .04f + .96f * f2 * f2 * f * (1 - surface.roughness * .8f);
    Vec along = ray.along + surface.normal * (2 * c), light = sky_light(scene.sky, along);
    Int smooth = glossy & (surface.roughness <= all(.3f));
    if (any(smooth)) {
        Vec sharp = room_light(scene, surface.position, along, .08f);
        Vec dull = room_light(scene, surface.position, along, .28f);
        light = pick(smooth, mix(sharp, dull, unit_range((surface.roughness - .05f) * 4.f)), light);
    }
    return pick(glossy, light * (share * surface.gloss * surface.openness), grey(0));
}

// ---- 10. the picture -----------------------------------------------------------------------------------------------

// The ray of picture points (x, y) px through the lens at (aperture_r, aperture_a), both 0..1.
static Ray camera_ray(const Lens& lens, Float x, Float y, Float aperture_r, Float aperture_a) {
    Float bent_x = (x - lens.centre[0]) / lens.focal, bent_y = (y - lens.centre[1]) / lens.focal;
    Float u = bent_x, v = bent_y;
    if (lens.k1 != 0 || lens.k2 != 0) {
        Float bent = root(bent_x * bent_x + bent_y * bent_y), r = bent;
        for (int step = 0; step < 8; step++) {  // as in view.py
            Float r2 = r * r;
            Float off = r * (1 + r2 * (lens.k1 + r2 * lens.k2)) - bent;
            r -= off / (1 + r2 * (3 * lens.k1 + r2 * 5 * lens.k2));
        }
        Float grown = r / upper(bent, all(1e-9f));
        u = bent_x * grown;
        v = bent_y * grown;
    }
    Vec along = {u, v, all(-1)}, start = grey(0);
    if (lens.aperture > 0) {
        Float sine, cosine, r = root(aperture_r) * lens.aperture;
        sine_cosine(aperture_a, sine, cosine);
        start = {r * cosine, r * sine, all(0)};
        along = along * lens.focus - start;
    }
    return {to_world(lens.axes, start) + vec(lens.position), to_world(lens.axes, normalized(along))};
}

// A single glint must not show as a dot.
INLINE Vec capped(Vec light) {
    Float cap = all(12.f);
    return {lower(light.x, cap), lower(light.y, cap), lower(light.z, cap)};
}

// The light one sample brings to its pixel, and the colour of what it met.
struct Seen {
    Vec light, albedo;
};
static Seen sample_light(const Scene& scene, Moment now, const Ray& ray, const Lamp* lamp, float lamp_weight,
                         const Sampler& sampler) {
    Hit hit = trace(scene, now, ray, all_int(-1), SEEN);
    Int lit = hit.id != NOTHING;
    Surface surface = surface_at(scene, now, ray, hit, sampler);
    Vec start = surface.position + surface.normal * .05f;
    Vec light = surface.glow + ambient_light(scene, now, surface, start, hit.id, sampler);
    light = capped(pick(lit, light + reflection(scene, surface, ray, lit), sky_light(scene.sky, ray.along)));
    if (lamp)
        light = light +
                capped(lamp_light(scene, now, *lamp, surface, start, ray.along, lit, hit.id, sampler)) * lamp_weight;
    return {light, pick(lit, surface.albedo, grey(1))};
}

// One lamp's turn in a sample: lamps are used in turn, and a lamp's turns together weigh as much as all samples.
struct Turn {
    const Lamp* lamp;
    float weight;
};
static Turn lamp_turn(const Scene& scene, int sample, int samples) {
    int count = scene.lamp_count;
    if (!count) return {nullptr, 0.f};
    int turn = sample % count, turns = (samples - turn + count - 1) / count;
    return {scene.lamps + turn, (float)samples / turns};
}

// A block of W neighbouring pixels whose top left one is (x, y): the mean of its samples and its ids.
constexpr int BLOCK_W = 4, BLOCK_H = W / BLOCK_W;
struct Block {
    Vec light, albedo;
    Int ids;
};
static Block draw_block(const Scene& scene, int32_t x, int32_t y, int coarse, int fine) {
    Int columns, rows;
    for (int i = 0; i < W; i++) {
        columns[i] = x + i % BLOCK_W;
        rows[i] = y + i / BLOCK_W;
    }
    Float px = to_float(columns), py = to_float(rows);
    Ray centre = camera_ray(scene.lens, px, py, all(0), all(0));
    Block block = {grey(0), grey(0), trace(scene, moment(scene, TIMES), centre, all_int(-1), SEEN).id};

    Sampler sampler = Sampler::of((Bits)(rows * 8192 + columns), scene.seed);
    // Each block starts at its own time, else fast dice would show as a row of ghosts.
    uint32_t first_time = scrambled((uint32_t)(y * 8192 + x) * 2654435761u + scene.seed);
    int samples = any((block.ids >= DIE) & (block.ids < BODY)) ? fine : coarse;
    for (int s = 0; s < samples; s++) {
        sampler.sample = s;
        Moment now = moment(scene, (s * 39 + first_time) % TIMES);
        Ray ray = camera_ray(scene.lens, px + sampler.draw(PIXEL_X) - .5f, py + sampler.draw(PIXEL_Y) - .5f,
                             sampler.draw(APERTURE_R), sampler.draw(APERTURE_A));
        Turn turn = lamp_turn(scene, s, samples);
        Seen seen = sample_light(scene, now, ray, turn.lamp, turn.weight, sampler);
        block.light = block.light + seen.light * (1.f / samples);
        block.albedo = block.albedo + seen.albedo * (1.f / samples);
    }
    return block;
}

INLINE void put_pixel(float* pixel, const Vec& colour, int lane) {
    pixel[0] = colour.x[lane];
    pixel[1] = colour.y[lane];
    pixel[2] = colour.z[lane];
}

extern "C" int32_t scene_bytes() { return sizeof(Scene); }

// Draws the pixels x0 <= x < x0 + width, y0 <= y < y0 + height of a scene's picture. `rgb` and `albedo` are float
// (height, width, 3), `ids` int32 (height, width). Blocks lie on the picture's own grid, so that a part of a picture
// equals the same part of the whole. Blocks that show a die get `fine` samples per pixel, others `coarse`. With `where`
// (height, width) blocks in whose first pixel it is 0 are left as they are.
extern "C" void render(const Scene* scene, int32_t x0, int32_t y0, int32_t width, int32_t height, int32_t coarse,
                       int32_t fine, const uint8_t* where, float* rgb, float* albedo, int32_t* ids) {
    for (int32_t y = y0 & ~(BLOCK_H - 1); y < y0 + height; y += BLOCK_H)
        for (int32_t x = x0 & ~(BLOCK_W - 1); x < x0 + width; x += BLOCK_W) {
            if (where && x >= x0 && y >= y0 && !where[(int64_t)(y - y0) * width + x - x0]) continue;
            Block block = draw_block(*scene, x, y, coarse, fine);
            for (int i = 0; i < W; i++) {
                int32_t column = x + i % BLOCK_W - x0, row = y + i / BLOCK_W - y0;
                if (column < 0 || row < 0 || column >= width || row >= height) continue;
                int64_t at = (int64_t)row * width + column;
                put_pixel(rgb + 3 * at, block.light, i);
                put_pixel(albedo + 3 * at, block.albedo, i);
                ids[at] = block.ids[i];
            }
        }
}
