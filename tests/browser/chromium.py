"""How the tests start Debian's chromium."""

from __future__ import annotations

from typing import Final

CHROMIUM_FLAGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--single-threaded --no-opt",  # a page lives too briefly for compiling to pay
    # The last such option counts, so this list contains Playwright's own. Without the other names
    # Chromium loads two pages of its address bar, and starts a spare process, for each visitor.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"
    ",AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose"
    ",HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter"
    ",NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch"
    ",ThirdPartyStoragePartitioning",
]
