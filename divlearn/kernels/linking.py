"""Compile kernels together with their callers, so that a search starts sooner.

Numba makes machine code of every function, with wrappers for calls from Python and from
C, and links a copy of it and of all that it calls into each caller, where everything is
optimized again. In a tree of two hundred kernels most of the compiler's time goes
there. Here a kernel that another kernel calls is an *inner* one: it is only translated
to LLVM's language. The kernel that Python calls, the *outer* one, collects all of them
and is optimized once, and it alone is kept on disk. A function of somebody else that
calls a kernel gets the kernel's code with all that it calls, as numba expects.

This rests on parts of numba that are not public, and is done for versions of it with
which it was tested (:func:`hooks_are_there`). With another one kernels are compiled as
numba usually does, with the same results.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar

import numba
from llvmlite import binding
from numba import njit, types
from numba.core import compiler, config, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import (
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
)

from divlearn.kernels.translating import PlainLower

#: New objects after which Python looks for garbage while kernels are compiled.
SELDOM = 100_000
#: Versions of numba with which all of this was tested.
KNOWN_VERSIONS = ((0, 68),)


def compile_with_callers(
    function: Callable[..., Any], options: dict[str, Any]
) -> Any | None:
    """Make a kernel whose callers take it in; None if numba has changed too much.

    Parameters
    ----------
    function
        Plain function over arrays and numbers.
    options
        Options of ``numba.njit``.
    """
    if not hooks_are_there():
        return None
    compiled = njit(pipeline_class=Outer, **options)(function)
    inner = InnerKernel(compiled)
    compiled.get_call_template = inner.get_call_template
    compiled.get_overload = inner.get_overload
    return compiled


def hooks_are_there() -> bool:
    """Whether this numba is of a version whose private parts are known."""
    return tuple(map(int, numba.__version__.split(".")[:2])) in KNOWN_VERSIONS


def without_constants(args: Any, named: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Types of arguments without their values: one compilation for all constants."""
    plain = {name: types.unliteral(kind) for name, kind in named.items()}
    return tuple(types.unliteral(kind) for kind in args), plain


# --- libraries of code


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel, to be linked into others and optimized there."""

    _linking_libraries: list[Any]
    _whole: Any = None

    def finalize(self) -> None:
        """Leave everything as it is: neither optimized nor made executable."""
        self._raise_if_finalized()
        for each in self._linking_libraries:
            self._reload_init.update(each._reload_init)
        self._finalized = True

    def alone(self) -> Any:
        """The kernel's own code, for callers that collect what it calls themselves."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The kernel's code with all that it calls, for functions of other packages."""
        if self._whole is None:
            self._whole = self.alone().clone()
            for each in _all_called(self._linking_libraries, {self}):
                self._whole.link_in(_own_code(each), preserve=True)
        return self._whole


class OuterLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that Python calls, and of all that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link what is called, also by what is called, and optimize all of it once."""
        self._linking_libraries = [
            _Linked(each) for each in _all_called(self._linking_libraries, set())
        ]
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimize as numba does, but for loops, which stay as they were written.

        Numba lets LLVM write out several rounds of each loop: twice as many
        instructions to translate, and searches that are hardly faster.
        """
        codegen, module = self._codegen, self._final_module
        cheap = {"loop_vectorize": False, "slp_vectorize": False, "opt": 0}
        passes, builder = codegen._module_pass_manager(**cheap, cost="cheap")
        passes.run(module, builder)
        options = binding.create_pipeline_tuning_options(int(config.OPT))
        options.loop_vectorization = bool(config.LOOP_VECTORIZE)
        options.slp_vectorization = bool(config.SLP_VECTORIZE)
        options.loop_unrolling = False
        builder = binding.create_pass_builder(codegen._tm, options)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(module, builder)


class _Linked:
    """A library of which an outer one takes the own code only."""

    def __init__(self, library: Any) -> None:
        self._reload_init = library._reload_init
        self._get_module_for_linking = partial(_own_code, library)


def _own_code(library: Any) -> Any:
    """What is to be linked of one of the libraries that :func:`_all_called` lists."""
    if isinstance(library, InnerLibrary):
        return library.alone()
    return library._get_module_for_linking()


def _all_called(libraries: list[Any], seen: set[Any]) -> list[Any]:
    """These libraries and all that they need and that was not seen, callers first.

    LLVM takes from a module only what is needed by then.
    """
    return [found for each in libraries for found in _called(each, seen)][::-1]


def _called(library: Any, seen: set[Any]) -> Iterator[Any]:
    """A library and all that it needs and that was not seen before, itself last."""
    if library in seen:
        return
    seen.add(library)
    if isinstance(library, InnerLibrary):
        for each in library._linking_libraries:
            yield from _called(each, seen)
    yield library


def _new_library(kind: type, state: Any) -> Any:
    """An empty library for the function that is being compiled."""
    return kind(state.targetctx.codegen(), state.func_id.func_qualname)


# --- the compiler's steps


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let Python look for garbage less often.

    A compiler makes millions of objects that stay, and Python goes through all of them
    again and again: a ninth of the time. Some garbage there is: a first search with the
    collector switched off took 720 MB of memory, and takes 450 at most like this.
    """
    usual = gc.get_threshold()
    if 0 < usual[0] < SELDOM:
        gc.set_threshold(SELDOM, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class CallTypes:
    """Numba's knowledge of types, which remembers what calls of its own functions give.

    Fifteen thousand additions, comparisons and look-ups in a first search have some
    four hundred kinds of arguments, and numba goes through its rules for each of them.
    """

    _known: ClassVar[dict[tuple[Any, ...], Any]] = {}

    def __init__(self, usual: Any) -> None:
        self._usual = usual

    def __getattr__(self, name: str) -> Any:
        return getattr(self._usual, name)

    def resolve_function_type(self, function: Any, args: Any, named: Any) -> Any:
        """The signature of a call; what fails is asked again, for its message."""
        found = function
        if not isinstance(function, types.Type):
            found = self._usual._lookup_global(function)
        key = (found, tuple(args), tuple(sorted(named.items())))
        signature = self._known.get(key)
        if signature is None:
            signature = self._usual.resolve_function_type(function, args, named)
            if type(found) is types.Function and signature is not None:
                self._known[key] = signature
        return signature


@register_pass(mutates_CFG=True, analysis_only=False)
class QuickTypeInference(NopythonTypeInference):  # type: ignore[misc]
    """Find the types of all variables, with a memory for calls."""

    _name = "quick_type_inference"

    def run_pass(self, state: Any) -> bool:
        """Look through the memory while types are found, and only then."""
        usual = state.typingctx
        state.typingctx = CallTypes(usual)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = usual


@register_pass(mutates_CFG=True, analysis_only=False)
class OuterLowering(NativeLowering):  # type: ignore[misc]
    """Translate to LLVM's language, link, optimize."""

    _name = "outer_lowering"
    lowering_class = PlainLower

    def run_pass(self, state: Any) -> bool:
        """Go on with a library that links all that is called."""
        state.library = _new_library(OuterLibrary, state)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):  # type: ignore[misc]
    """Translate to LLVM's language, no more."""

    _name = "inner_lowering"
    lowering_class = PlainLower

    def run_pass(self, state: Any) -> bool:
        """Tell callers where the code is, by an object that stands for it."""
        state.library = _new_library(InnerLibrary, state)
        flags = state.flags
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        super().run_pass(state)
        state.library.finalize()
        lowered, code = state["cr"], object()
        state.targetctx.insert_user_function(code, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=code)
        return True


def _finds_types(step: tuple[Any, str]) -> bool:
    """Whether a step of numba's is the one that finds types."""
    return step[0] is NopythonTypeInference


def _pipeline(lowering: type) -> type:
    """All steps of a compilation, with this one near the end."""

    class Pipeline(compiler.CompilerBase):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            """Compile, with fewer looks for garbage meanwhile."""
            with seldom_collected():
                return super().compile_extra(function)

        def define_pipelines(self) -> list[Any]:
            """Numba's own steps but for the translation to LLVM's language."""
            usual = compiler.DefaultPassBuilder
            steps = compiler.PassManager(lowering.__name__)
            steps.passes.extend(usual.define_untyped_pipeline(self.state).passes)
            steps.add_pass(QuickTypeInference, "find types")
            typed = usual.define_typed_pipeline(self.state).passes
            steps.passes.extend(step for step in typed if not _finds_types(step))
            steps.add_pass(compiler.IRLegalization, "legalize")
            steps.add_pass(compiler.AnnotateTypes, "annotate types")
            steps.add_pass(lowering, "translate")
            steps.add_pass(NoPythonBackend, "wrap up")
            steps.finalize()
            return [steps]

    return Pipeline


Outer, Inner = _pipeline(OuterLowering), _pipeline(InnerLowering)


class InnerKernel:
    """A kernel as other kernels see it; numba asks for it by these two names."""

    def __init__(self, dispatcher: Any) -> None:
        usual = dispatcher._compiler
        self._name = usual.py_func.__name__
        self._compiler = type(usual)(
            usual.py_func, usual.targetdescr, usual.targetoptions, usual.locals, Inner
        )
        self._compiled: dict[tuple[Any, ...], Any] = {}

    def get_call_template(self, args: Any, named: Any) -> Any:
        """How a call with arguments of these types is typed; compiles it if need be."""
        pysig, folded = self._compiler.fold_argument_types(
            *without_constants(args, named)
        )
        key = tuple(folded)
        with global_compiler_lock:
            if key not in self._compiled:
                self._compiled[key] = self._compiler.compile(key, None)
        signatures = [result.signature for result in self._compiled.values()]
        template = typing.make_concrete_template(
            f"CallTemplate({self._name})", key=self._name, signatures=signatures
        )
        return template, pysig, key, {}

    def get_overload(self, args: Any) -> Any:
        """What stands for the code of a call with arguments of these types."""
        return self._compiled[tuple(args)].entry_point
