"""Files that cannot be written whole are not left behind."""

import contextlib
import os
import resource
import stat
import subprocess
import sys

import pytest

import neatline

# A file may have this many bytes, as on a disk that is full.
LIMIT = 64


@pytest.fixture
def image(red):
    with neatline.Renderer(red) as renderer:
        yield renderer.draw(center=(0, 0), zoom=0, size=(64, 64))


@contextlib.contextmanager
def full_disk():
    """For the one call that is tested: pytest's own output may go to a file. Python itself ignores SIGXFSZ, so that a
    write past the limit fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("ending", ["png", "jpg", "webp"])
def test_a_picture_is_whole_or_not_there(image, tmp_path, ending):
    assert len(image.encode(ending)) > LIMIT
    with pytest.raises(OSError), full_disk():
        image.save(tmp_path / f"picture.{ending}")
    assert os.listdir(tmp_path) == []


def test_a_picture_that_was_there_stays(image, tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"before")
    path.chmod(0o640)
    link = tmp_path / "link.png"
    link.symlink_to("picture.png")
    for place in (path, link):
        with pytest.raises(OSError), full_disk():
            image.save(place)
    assert path.read_bytes() == b"before" and sorted(os.listdir(tmp_path)) == ["link.png", "picture.png"]
    # And is replaced where there is room, through the link and with its rights.
    image.save(link)
    assert link.is_symlink() and path.read_bytes().startswith(b"\x89PNG")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_pipe_is_written_into(image, tmp_path):
    path = tmp_path / "pipe.png"
    os.mkfifo(path)
    reader = subprocess.Popen([sys.executable, "-c", "import sys; print(len(open(sys.argv[1], 'rb').read()))", path], stdout=subprocess.PIPE)
    image.save(path)
    assert int(reader.communicate(timeout=20)[0]) == len(image.png(small=True))
    assert os.listdir(tmp_path) == ["pipe.png"]
