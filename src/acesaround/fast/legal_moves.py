"""The rules of play for kernels: the engine's functions in `tricks`, compiled unchanged.

A kernel chooses its own packing of sets of kinds (see `tricks`) and calls these functions for the
legal kinds. For the kinds that beat a card it uses tables that the engine has filled.
"""

from __future__ import annotations

from acesaround.fast.jit import inlined_kernel
from acesaround.rules import tricks

legal_kinds = inlined_kernel(tricks.legal_kinds)
legal_leads = inlined_kernel(tricks.legal_leads)
