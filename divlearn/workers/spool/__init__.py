"""A directory instead of a server: jobs are files, and a rename takes or answers one.

The coordinator and its workers share nothing but a directory, on one machine or on a
network file system::

    spool/
      spool.json      whose jobs these are, whether more come, and how long a lease is
      problem.pickle  the problem, for workers in Python that are not told another one
      new/            one file per evaluation that waits
      claimed/        those that a worker has taken, by renaming them
      done/           answers, renamed into place when they are whole
      lost/           those whose worker was silent for too long

A worker touches its file in ``claimed/`` again and again. The coordinator looks whether
the time of the file *changes*, by a clock of its own, so clocks may differ. Who finds a
file that is none of ours leaves it alone.
"""
