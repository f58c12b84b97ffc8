"""One design drawn as what it is: a tour, routes, a schedule, a choice."""

from divlearn.plot.design.picture import design

__all__ = ["design"]
