"""Who is where: the cheapest way to give each of several followed dice a place of its own.

Source: H. W. Kuhn's Hungarian method, in the form with potentials and shortest augmenting paths (J. Munkres;
R. Jonker and A. Volgenant). SciPy has it, too; numpy and OpenCV have not, and the box takes no library of
35 MB for these thirty lines.
"""

from collections.abc import Sequence

import numpy as np

from calibration.arrays import Floats


def assign(costs: Floats) -> list[int]:
    """For each row of `costs` (rows x columns, no more rows than columns) its column; together the cheapest.

    Costs are finite. Raises ValueError where there are more rows than columns.
    """
    rows, columns = costs.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot have a column each of {columns}")
    padded = np.zeros((rows + 1, columns + 1))
    padded[1:, 1:] = costs
    by_row, by_column = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, np.intp)
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        slack = np.full(columns + 1, np.inf)
        came = np.zeros(columns + 1, np.intp)
        used = np.zeros(columns + 1, np.bool_)
        while owner[column]:
            used[column] = True
            left = padded[owner[column]] - by_row[owner[column]] - by_column
            nearer = ~used & (left < slack)
            nearer[0] = False
            slack[nearer], came[nearer] = left[nearer], column
            ahead = np.where(used, np.inf, slack)
            ahead[0] = np.inf
            following = int(ahead.argmin())
            step = float(ahead[following])
            by_row[owner[used]] += step
            by_column[used] -= step
            slack[~used] -= step
            column = following
        while column:
            owner[column], column = owner[came[column]], int(came[column])
    found = [-1] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            found[owner[column] - 1] = column - 1
    return found


def margin(costs: Floats, given: Sequence[int], row: int) -> float:
    """How much more it costs that a row has another column than `given` says, and at most one other row, too.

    `costs`: rows x columns; `given`: the column of each row; infinite where there is no other way.
    """
    mine = given[row]
    free = np.ones(costs.shape[1], np.bool_)
    free[list(given)] = False
    alone, dearer = float(costs[row, free].min(initial=np.inf) - costs[row, mine]), [np.inf]
    for other, its in enumerate(given):
        if other != row:
            saved = max(0.0, float(costs[other, its] - costs[other, mine]))
            place = min(float(costs[other, mine]), float(costs[other, free].min(initial=np.inf)))
            swapped = float(costs[row, its]) + place - float(costs[row, mine] + costs[other, its])
            dearer.append(min(alone - saved, swapped))
    return min(alone, *dearer)
