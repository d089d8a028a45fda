"""The two networks in torch: the locator that finds dice and the reader that reads one."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.network import SHOWN

READER_WIDTHS = (32, 64, 120)
READER_BLOCKS = 2
PIP_WIDTH = 16
LOCATOR_WIDTHS = (8, 16, 32)
CLASSES = 7
LOCATOR_STRIDE = 4
LOCATOR_FACE_PX = 18.0


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def _enlarge(maps: Tensor, factor: int) -> Tensor:
    return F.interpolate(maps, scale_factor=factor, mode="nearest")


class Reader(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
    """Reads one die: crops (n, 3, 56, 56) to class logits (n, 7) and logits of a map of pip centres (n, 1, 28, 28).

    A crop is grey and two differences of hue, as `normalise_crops` makes it; without colour these are nought.

    The class head sees the amount of pip in the map besides the features, so the two answers are trained to agree.
    """

    def __init__(self) -> None:
        super().__init__()
        low, middle, high = READER_WIDTHS
        self.stem = _block(SHOWN, low, stride=2)
        self.down1 = _block(low, middle, stride=2)
        self.same1 = nn.ModuleList(_block(middle, middle) for _ in range(READER_BLOCKS))
        self.down2 = _block(middle, high, stride=2)
        self.same2 = nn.ModuleList(_block(high, high) for _ in range(READER_BLOCKS))
        self.fine, self.mean, self.coarse = (nn.Conv2d(width, PIP_WIDTH, 1) for width in READER_WIDTHS)
        between = nn.Conv2d(PIP_WIDTH, PIP_WIDTH, 3, 1, 1)
        self.pips = nn.Sequential(nn.ReLU(), between, nn.ReLU(), nn.Conv2d(PIP_WIDTH, 1, 1))
        self.answer = nn.Sequential(nn.Linear(2 * high + 2, 48), nn.ReLU(), nn.Linear(48, CLASSES))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return class logits and pip-map logits."""
        fine = self.stem(crops)
        mean = self.down1(fine)
        for block in self.same1:
            mean = mean + block(mean)
        coarse = self.down2(mean)
        for block in self.same2:
            coarse = coarse + block(coarse)
        pips = self.pips(self.fine(fine) + _enlarge(self.mean(mean), 2) + _enlarge(self.coarse(coarse), 4))
        seen = torch.sigmoid(pips)
        amounts = [seen.mean((2, 3)) * 50, (seen * seen).mean((2, 3)) * 50]
        features = torch.cat([coarse.mean((2, 3)), coarse.amax((2, 3)), *amounts], 1)
        return self.answer(features), pips


class _Wide(nn.Module):  # type: ignore[misc]
    """A residual block that looks 5 px wide at the cost of a 1 px one: depthwise, then pointwise."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.look = nn.Sequential(_block(width, width, kernel=5, groups=width), _block(width, width, kernel=1))

    def forward(self, maps: Tensor) -> Tensor:
        return maps + self.look(maps)


class Locator(nn.Module):  # type: ignore[misc]
    """Finds dice: pictures (n, 1, h, w) to maps (n, 4, h/4, w/4): heat logit, log(face / 18 px), dx and dy in cells."""

    def __init__(self) -> None:
        super().__init__()
        low, middle, high = LOCATOR_WIDTHS
        self.near = nn.Sequential(_block(1, low, stride=2), _block(low, middle, stride=2), _Wide(middle))
        self.far = nn.Sequential(_block(middle, high, stride=2), _Wide(high), _Wide(high), _Wide(high))
        self.side, self.up = nn.Conv2d(middle, middle, 1), nn.Conv2d(high, middle, 1)
        self.merge = _Wide(middle)
        self.head = nn.Conv2d(middle, 4, 1)
        nn.init.constant_(self.head.bias[:1], -3.5)  # dice are rare: begin by expecting none

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the four maps."""
        near = self.near(pictures)
        return self.head(self.merge(F.relu(self.side(near) + _enlarge(self.up(self.far(near)), 2))))


def normalise(pictures: Tensor) -> Tensor:
    """Return pictures (n, 1, h, w) of 0..1 with mean 0 and contrast 1 each, as the product hands them over.

    The floor of .05 keeps the noise of an empty cloth from being blown up into something to see.
    """
    mean = pictures.mean((1, 2, 3), keepdim=True)
    deviation = pictures.std((1, 2, 3), keepdim=True, correction=0)
    return (pictures - mean) / (deviation + 0.05)


def normalise_crops(crops: Tensor) -> Tensor:
    """Return crops (n, 3, h, w) with the grey of mean 0 and contrast 1, and so the two hues, by the contrast of both.

    As in `vision.look`: a crop without colour keeps hues of nought, and its noise is not blown up.
    """
    hues = crops[:, 1:] - crops[:, 1:].mean((2, 3), keepdim=True)
    contrast = hues.square().mean((1, 2, 3), keepdim=True).sqrt()
    return torch.cat([normalise(crops[:, :1]), hues / (contrast + 0.05)], 1)
