"""Small files of every kind, as text."""

TOUR = """NAME : square
TYPE : TSP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10
4 10 0.4
EOF
"""
ROUTES = """NAME : little
TYPE : CVRP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 6
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10
4 10 0.4
DEMAND_SECTION
1 0
2 3
3 2
4 1
DEPOT_SECTION
1
-1
EOF
"""
LISTED_ROUTES = """NAME : listed
TYPE : CVRP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
CAPACITY : 5
EDGE_WEIGHT_SECTION
0 1 2
3 0 4
5 6 0
DEMAND_SECTION
1 2
2 0
3 2
DEPOT_SECTION
2
-1
EOF
"""

# Three items with one weight and two values each, capacity 6.
COUNTS = "3 2 1\n6\n2 5 1\n3 1 5\n4 3 3\n"
TWO_COUNTS = "3 2\n6\n2 5 1\n3 1 5\n4 3 3\n"
CAPACITY_BESIDE = "3 6\n5 1 2\n1 5 3\n3 3 4\n"
CAPACITY_BELOW = "3\n6\n\n5 1 2\n1 5 3\n3 3 4\n"
LISTS = "3 2 1\n5 1 3\n1 5 3\n2 3 4\n6\n"
ONE_PER_LINE = "3\n2\n1\n5\n1\n3\n1\n5\n3\n2\n3\n4\n6\n"
COUNTED_ONE_PER_LINE = "3 2 1\n5\n1\n3\n1\n5\n3\n2\n3\n4\n6\n"
LAYOUTS = {
    "n m c": COUNTS,
    "n m": TWO_COUNTS,
    "n capacity": CAPACITY_BESIDE,
    "n, capacity": CAPACITY_BELOW,
    "lists": LISTS,
    "one number per line": ONE_PER_LINE,
    "counts, then one number per line": COUNTED_ONE_PER_LINE,
}
