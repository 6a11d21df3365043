"""`make soak`: a whole box plays game after game, some hundred times as many as an evening has.

    python -m tests.soak [--throws 20000]

What runs is the box of `callbox play` in a process of its own: table and camera threads, watching, readers,
detector, rulebook, pins (mock ones), the journal with its synced writes, the pictures that are kept, console
and pages that look on. Three players bet, throw, press, choose and correct over HTTP; every game's journal is
played again by the rulebook, and every reading held against what truly lies there. After one throw in 25 a
die leans or lies on another, and the box has to ask.

How it is speeded up:

- The throws were drawn beforehand (`drawn`), some of each number and kind of dice, and come in any order.
- Box and camera have one clock of their own, which goes on with the frames and the presses (`camera`): the
  next frame comes as soon as the last one was looked at. Nobody thinks, and nobody waits for the wall clock.
- A frame comes each 100 ms of that clock while dice roll (a camera brings one each 50), and each 200 ms while
  only a hand moves: some 14 a throw.

What it leaves out: sharp pictures (`Frame.sharp`), mats, the End Zone, the odds, and, unless asked, films.

Told is what the box takes up every hundred throws, and in the end whether that grows. The time from the last
frame, or press, that a reading needs to the snapshot that shows it is told in two ways: as it was, which
depends on what else the machine does, and as what the table's thread worked in it, which does not.
"""
