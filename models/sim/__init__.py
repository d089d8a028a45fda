"""The simulated tray: scenes as facts (scene, die, pose), their drawing (tracer, packing, textures, camera), what they
show (view, labels), chance (looks, rooms, scatter), and recordings acted on it by hands and physics.
"""
