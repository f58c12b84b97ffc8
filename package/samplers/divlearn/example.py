"""A route and a vehicle: length and price, searched by OptunaHub's divlearn sampler."""

import math

import optuna
import optunahub

PLACES = [(math.cos(7 * i), math.sin(3 * i)) for i in range(8)]
SPEED = {"van": 1.0, "bike": 0.4, "truck": 0.7}

divlearn = optunahub.load_module(package="samplers/divlearn")


def objective(trial):
    order = divlearn.suggest_permutation(trial, "order", len(PLACES))
    vehicle = trial.suggest_categorical("vehicle", list(SPEED))
    stops = [PLACES[i] for i in order]
    length = sum(map(math.dist, stops, stops[1:]))
    hours = length / SPEED[vehicle]
    price = 10 * hours if vehicle == "bike" else 25 * hours + 30
    return hours, price


if __name__ == "__main__":
    sampler = divlearn.DivlearnSampler(seed=0, n_trials=60)
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)
    study.optimize(objective, n_trials=60)
    for best in study.best_trials:
        print(best.values, best.params["vehicle"], best.user_attrs)
