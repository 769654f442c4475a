"""Learns a randomizer script from battlelands: the maps in, a `.rnd` that a person would write out.

The command line (``randomizer learn``) and the desk call ``learn`` of ``learner``; it never needs a
window and reads no files. Stands above ``odds`` and ``rolling``. A short example::

    boards, problems = boards_of([("Swamp.xml", battlemap), ...])   # left out: named in problems
    for progress in learn(boards, LearningOptions("Swamp", seed=1)):
        show(progress.percent, progress.message)       # closing the iterator cancels;
        learned = progress.learned                     # the best so far

    version = learned.at(closeness)                    # the slider: 0 few lines ... 1 close fit
    version.text                                       # the script, with comments
    version.reasons[12].text                           # why line 12: what it gains, the figures
    version.fit.hex_bits                               # (27,): where script and maps differ
    version.fit.total                                  # bits a map by which they differ
    learned.versions, learned.version                  # all of them, and the one proposed
"""
