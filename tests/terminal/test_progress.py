import io
from dataclasses import replace

from rich.console import Console

from divlearn.terminal import LiveProgress, LogProgress, Progress, choose_progress
from divlearn.terminal.pace import Reading
from divlearn.terminal.places import Screen
from divlearn.terminal.progress import close_display


def log(clock):
    stream = io.StringIO()
    return LogProgress("bitsp-20", stream, clock, ticking=False), stream


def live(clock, brief=False, **options):
    stream = io.StringIO()
    settings = {"width": 90, "height": 30, "force_terminal": True, **options}
    console = Console(file=stream, highlight=False, **settings)
    place = Screen(console)
    return LiveProgress("bitsp-20", place, clock, ticking=False, brief=brief), stream


def step(progress, search, clock, evaluations, seconds=0.05):
    search.evaluations += evaluations
    search.seconds += seconds
    clock.now += seconds
    progress.update(search)


def test_a_log_says_what_begins_and_where_it_ended(clock, make_search):
    """The two lines that every log needs, however short the run."""
    (progress, stream), search = log(clock), make_search()
    progress.start(search, 1_000, None)
    step(progress, search, clock, 1_000, seconds=2.0)
    progress.finish()
    assert stream.getvalue().splitlines() == [
        "bitsp-20: searching for 1,000 evaluations",
        "bitsp-20: 1,000 evaluations (100%), 500 per second, front 3, "
        "hypervolume 11.0000",
    ]


def test_a_log_of_a_quick_run_has_a_line_every_five_seconds_at_most(clock, make_search):
    """Ten minutes at one percent a second must not fill the log."""
    (progress, stream), search = log(clock), make_search()
    progress.start(search, 10_000, None)
    for _ in range(1_000):  # 100 seconds in all, 10 % of the budget in 10 seconds
        step(progress, search, clock, 10, seconds=0.1)
    assert 9 <= len(stream.getvalue().splitlines()) - 1 <= 10


def test_a_log_of_a_slow_run_has_a_line_every_minute(clock, make_search):
    """A tenth of a day's budget is too long a silence."""
    (progress, stream), search = log(clock), make_search()
    progress.start(search, 1_000_000, None)
    for _ in range(600):
        step(progress, search, clock, 1, seconds=1.0)
    assert len(stream.getvalue().splitlines()) - 1 == 10


def test_compiling_is_announced_in_both_displays(clock):
    """A first run is silent for a long time otherwise."""
    for progress, stream in (log(clock), live(clock)):
        progress.compiling("permutations", 88.0)
        progress.finish()
        said = " ".join(stream.getvalue().split())
        assert (
            "compiling for permutations, the first time only: about 90 s of CPU time"
            in said
        )


def test_the_live_display_shows_speed_front_hypervolume_time_and_picture(
    clock, make_search
):
    """Everything one wants to know while waiting."""
    (progress, stream), search = live(clock), make_search()
    progress.start(search, 1_000, None)
    step(progress, search, clock, 250, seconds=1.0)
    shown = stream.getvalue()
    progress.finish()
    for words in (
        "bitsp-20",
        "250 evaluations (25%)",
        "250 per second",
        "front 3",
        "hypervolume 11.0000",
        "3 s left",
        "━━━",
        "f2 (up, min) over f1 (right, min)",
    ):
        assert words in shown


def test_the_live_display_is_drawn_four_times_a_second_at_most(clock, make_search):
    """Updates come more often than eyes can follow, and drawing costs time."""
    (progress, stream), search = live(clock), make_search()
    progress.start(search, 1_000, None)
    for _ in range(100):  # two seconds
        step(progress, search, clock, 1, seconds=0.02)
    assert 7 <= stream.getvalue().count("per second") <= 9
    progress.finish()


def test_a_terminal_too_small_for_a_picture_gets_the_facts_alone(clock, make_search):
    """A picture that does not fit would scroll and flicker."""
    (progress, stream), search = live(clock, width=20, height=6), make_search()
    progress.start(search, 1_000, None)
    step(progress, search, clock, 250, seconds=1.0)
    progress.finish()
    assert "┤" not in stream.getvalue()
    assert "front" in stream.getvalue()


def test_a_terminal_without_unicode_gets_a_plain_bar(clock, make_search):
    """Signs that a terminal cannot encode would end the run with an error."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    console = Console(file=stream, force_terminal=True, width=80, height=30)
    progress = LiveProgress("bitsp-20", Screen(console), clock, ticking=False)
    search = make_search()
    progress.start(search, 1_000, None)
    step(progress, search, clock, 500, seconds=1.0)
    progress.finish()
    stream.flush()
    assert b"#" * 30 in stream.buffer.getvalue()


def test_finish_puts_the_cursor_back_even_when_nothing_was_found(clock, make_search):
    """A search that fails at its first evaluation must leave the terminal usable."""
    (progress, stream), search = live(clock), make_search()
    search.front_objectives = search.front_objectives[:0]
    progress.start(search, 1_000, None)
    progress.finish()
    hide, show = "\x1b[?25l", "\x1b[?25h"
    assert stream.getvalue().count(hide) == stream.getvalue().count(show) == 1


def test_a_pipe_gets_log_lines_and_a_terminal_the_live_display(monkeypatch):
    """Control characters have no place in a file."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(choose_progress("x", io.StringIO()), LogProgress)
    assert isinstance(choose_progress("x", Terminal()), LiveProgress)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(choose_progress("x", Terminal()), LogProgress)


def test_a_log_says_every_quarter_of_a_minute_that_it_still_compiles(clock):
    """A first run takes minutes on a busy machine; a silent one looks dead."""
    progress, stream = log(clock)
    progress.compiling("permutations", 85.0)
    for _ in range(80):  # forty seconds
        clock.now += 0.5
        progress.tick()
    assert stream.getvalue().splitlines()[1:] == [
        "bitsp-20: still compiling, 15 s so far",
        "bitsp-20: still compiling, 30 s so far",
    ]


def test_what_was_compiled_is_told_when_the_search_begins(clock, make_search):
    """Then one knows what the waiting was for."""
    for progress, stream in (log(clock), live(clock)):
        progress.compiling("permutations", 85.0)
        clock.now += 70.0
        progress.start(make_search(), 100, None)
        progress.finish()
        assert "compiled in 1 min 10 s" in stream.getvalue()


def test_a_log_goes_on_while_one_evaluation_takes_minutes(clock, make_search):
    """Nothing comes from the search then, but a log must show that it is alive."""
    (progress, stream), search = log(clock), make_search()
    search.running = 2
    progress.start(search, 10, None)
    for _ in range(300):
        clock.now += 0.5
        progress.tick()
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[-1].endswith("2 evaluations running, no outcome yet after 2 min 0 s")


def test_the_live_display_turns_while_one_evaluation_takes_minutes(clock, make_search):
    """With the number running, the time since the last outcome, and the time left."""
    (progress, stream), search = live(clock), make_search()
    search.running = 1
    progress.start(search, 4, None)
    step(progress, search, clock, 1, seconds=100.0)
    for seconds in (30.0, 10.0):
        clock.now += seconds
        progress.tick()
    shown = stream.getvalue()
    for words in (
        "1 evaluation running, last outcome 30 s ago",
        "1 evaluation running, last outcome 40 s ago",
        "36 per hour",
        "4 min 20 s left",
    ):
        assert words in shown
    spun = {line.strip()[:1] for line in shown.splitlines() if "running" in line}
    assert len(spun) == 2
    progress.finish()


def test_a_brief_display_shows_nothing_of_a_search_that_is_over_at_once(
    clock, make_search
):
    """Who solves a hundred small problems in a loop wants no hundred displays."""
    (progress, stream), search = live(clock, brief=True), make_search()
    progress.start(search, 100, None)
    step(progress, search, clock, 100, seconds=0.2)
    progress.finish()
    assert stream.getvalue() == ""


def test_a_brief_display_shrinks_to_one_line(clock, make_search):
    """What is printed next is the result, and the picture would be in its way."""
    (progress, stream), search = live(clock, brief=True), make_search()
    progress.start(search, 100, None)
    step(progress, search, clock, 100, seconds=2.0)
    assert "┤" in stream.getvalue()
    before = len(stream.getvalue())
    progress.finish()
    assert "bitsp-20: 100 evaluations (100%)" in stream.getvalue()[before:]
    assert "┤" not in stream.getvalue()[before:]


def test_the_names_of_the_axes_are_not_cut_in_a_narrow_terminal(clock, make_search):
    """A title that ends in "over lengt" names nothing."""
    (progress, stream), search = live(clock, width=40), make_search()
    search.problem.objectives = {"total length": "min", "longest of all": "min"}
    progress.start(search, 1_000, None)
    step(progress, search, clock, 250, seconds=1.0)
    said = " ".join(stream.getvalue().split())
    progress.finish()
    assert "longest of all (up, min) over total length (right, min)" in said


def test_a_process_that_leaves_while_it_compiles_puts_the_cursor_back(clock):
    """Ctrl-C during the first minutes must leave a terminal that can be used."""
    progress, stream = live(clock)
    progress.compiling("permutations", 85.0)
    close_display()
    hide, show = "\x1b[?25l", "\x1b[?25h"
    assert stream.getvalue().count(hide) == stream.getvalue().count(show) == 1
    assert Progress.current is None
    close_display()  # and nothing happens where nothing is shown


def test_the_growth_of_the_hypervolume_is_shown_where_there_is_one(clock, make_search):
    """A bar for each time that it was measured, above the picture of the front."""
    (progress, stream), search = live(clock), make_search()
    progress.start(search, 1_000, None)
    for _ in range(3):
        step(progress, search, clock, 10, seconds=60.0)
    progress.finish()
    assert "hypervolume so far ▁▁▁" in stream.getvalue()
    reading = Reading(9, 1.0, None, None, search.front_objectives, 1.0, "hypervolume")
    lines = replace(
        reading, volumes=tuple(range(99)), objectives={"a": "min", "b": "min"}
    )
    assert max(map(len, lines.picture(26, 4)[:-1])) <= 40  # as in 40 columns


def test_no_colour_is_shown_where_the_user_wants_none(clock, make_search, monkeypatch):
    """NO_COLOR, see no-color.org; the bar itself stays."""

    def shown():
        (progress, stream), search = live(clock, color_system="standard"), make_search()
        progress.start(search, 1_000, None)
        step(progress, search, clock, 500, seconds=60.0)
        progress.finish()
        return stream.getvalue()

    green = "\x1b[32m"
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert green in shown()
    monkeypatch.setenv("NO_COLOR", "1")
    assert green not in (plain := shown())
    assert "━" in plain
