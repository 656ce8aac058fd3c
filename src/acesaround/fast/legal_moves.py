"""The law of play for kernels: the functions of `tricks`, compiled as they stand.

Their bodies are the engine's. A kernel chooses the packing of its sets of kinds (see `tricks`) and
asks these what may be played; what beats what it looks up in tables that the engine has filled.
"""

from __future__ import annotations

from acesaround.fast.jit import inlined
from acesaround.rules import tricks

legal_kinds = inlined(tricks.legal_kinds)
leads = inlined(tricks.leads)
