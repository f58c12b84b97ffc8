"""Kinds of rules by number, without the compiler, so that spaces may name them."""

#: Orders: who stands before whom, taken places, groups that stay together.
ORDER = 0
#: Choices: forced and forbidden members, and members that exclude each other.
CHOICE = 1
#: Groups of limited size.
SIZES = 2
#: Conditions: a part exists only where earlier positions have certain codes.
WHEN = 3
#: Codes of an order, a choice or groups that exist only where a position does.
KEPT = 4
