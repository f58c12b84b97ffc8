"""Evaluations on Ray itself; ``make test-ray`` installs it and runs these."""

import sys

import pytest

pytest.importorskip("ray", reason="Ray is not installed; make test-ray installs it")
if sys.platform != "linux":
    pytest.skip("looks at processes", allow_module_level=True)

from tests.workers.ray_cluster import (
    Head,
    open_to_others,
    run_script,
    told,
    wait_for,
)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The front that one process finds."""
    return run_script(tmp_path_factory.mktemp("here"), "here.db", "here")["front"]


@pytest.mark.parametrize("executor", ["ray", "pool"])
def test_a_function_of_a_script_is_evaluated_by_a_local_ray(tmp_path, wanted, executor):
    """By name or by a pool of one's own; nobody else can reach it."""
    before = open_to_others()
    process = run_script(tmp_path, "ray.db", executor, wait=False)
    wait_for(tmp_path / "ray.db", 5, process)
    assert open_to_others() <= before
    seen = told(process)
    assert seen["front"] == wanted
    assert seen["verified"]


def test_a_study_survives_the_loss_of_ray_workers_and_of_the_head(tmp_path, wanted):
    """Workers are replaced by Ray; after the head is back, the study is resumed."""
    head, path = Head(), tmp_path / "cluster.db"
    before = open_to_others()
    head.start()
    try:
        assert open_to_others() <= before
        process = run_script(tmp_path, path.name, head.address, wait=False)
        wait_for(path, 5, process)
        assert head.kill("ray::evaluate_parcel") > 0
        wait_for(path, 15, process)
        head.end()
        _, errors = process.communicate(timeout=300)
        assert process.returncode != 0
        assert "Error" in errors
        head.start()
        seen = run_script(tmp_path, path.name, head.address)
    finally:
        head.end()
    assert seen["front"] == wanted
    assert seen["numbers"]
    assert seen["verified"]
