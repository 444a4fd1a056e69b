#!/usr/bin/env python3
"""Compiles solutions of the ten tasks in `tasks/README.md`, each by itself, and runs their checks.

    tasks.py                    our own solutions, in tasks/solutions; fails if one is wrong
    tasks.py FOLDER [FOLDER..]  solutions of others, a folder for each try: TaskN.swift; prints a table
    tasks.py --copy FOLDER      keeps the package there, so that the next run builds less
    tasks.py --api FILE         writes the interface of the generated module into the file

A solution counts if it compiles without a warning and its check ends with status 0 within 20 seconds.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TASKS = os.path.join(HERE, "tasks")
COUNT = 10


def manifest(products):
    targets = "".join(
        f'        .executableTarget(name: "{product}", dependencies: ["Films", .product(name: "Baton", package: "baton"), '
        f'.product(name: "BatonHTTP", package: "baton")]),\n' for product in products)
    return (
        "// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n"
        f'    name: "tasks",\n    dependencies: [.package(name: "baton", path: "{ROOT}")],\n    targets: [\n'
        '        .target(name: "Films", dependencies: [.product(name: "Baton", package: "baton")]),\n'
        f"{targets}    ]\n)\n")


def make_package(folder, tries):
    """Returns the products: for each try and task the name of the target that has the solution and its check."""
    for name in ("schema.graphql", "documents.graphql"):
        shutil.copyfile(os.path.join(TASKS, name), os.path.join(folder, name))
    with open(os.path.join(folder, "baton.json"), "w") as configuration:
        configuration.write(
            '{ "schema": "schema.graphql", "documents": ["documents.graphql"], "output": "Sources/Films", '
            '"access": "public" }\n')
    shutil.rmtree(os.path.join(folder, "Sources"), ignore_errors=True)
    products = {}
    for index, solutions in enumerate(tries):
        for task in range(1, COUNT + 1):
            solution = os.path.join(solutions, f"Task{task}.swift")
            if not os.path.exists(solution):
                continue
            product = products[index, task] = f"Try{index + 1}Task{task}"
            target = os.path.join(folder, "Sources", product)
            os.makedirs(target)
            files = [solution, os.path.join(TASKS, f"checks/Check{task}.swift"), os.path.join(TASKS, "checks/Support.swift")]
            if task == 10:
                files.append(os.path.join(TASKS, "solutions/Task3.swift"))
            for file in files:
                shutil.copyfile(file, os.path.join(target, os.path.basename(file)))
    with open(os.path.join(folder, "Package.swift"), "w") as text:
        text.write(manifest(products.values()))
    return products


def swift(folder, *arguments):
    return subprocess.run(
        ["swift", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def verdict(folder, product):
    """Returns what is wrong with a solution; nothing if it counts."""
    built = swift(folder, "build", "--product", product)
    # Only what the solution's own file says counts; a build that fails elsewhere is shown as it is.
    said = list(dict.fromkeys(re.findall(r"/(Task\d+\.swift:\d+:\d+: (?:error|warning): .*)", built.stdout)))
    if built.returncode != 0:
        return "does not compile: " + (said or re.findall(r".*error: .*", built.stdout) or ["no error is told"])[0]
    if said:
        return "warns: " + said[0]
    binary = os.path.join(folder, ".build/debug", product)
    try:
        run = subprocess.run([binary], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "does not end"
    return "" if run.returncode == 0 else (run.stdout.strip().splitlines() or [f"status {run.returncode}"])[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--copy", metavar="FOLDER")
    parser.add_argument("--api", metavar="FILE")
    options = parser.parse_args()
    tries = [os.path.abspath(folder) for folder in options.folders] or [os.path.join(TASKS, "solutions")]
    folder = os.path.abspath(options.copy) if options.copy else tempfile.mkdtemp(prefix="tasks")
    os.makedirs(folder, exist_ok=True)
    try:
        return run(folder, tries, options)
    finally:
        if not options.copy:
            shutil.rmtree(folder, ignore_errors=True)


def run(folder, tries, options):
    products = make_package(folder, tries)
    binaries = swift(ROOT, "build", "--show-bin-path").stdout.split()[-1]
    compiled = subprocess.run([os.path.join(binaries, "baton"), "compile"], cwd=folder, stdout=subprocess.PIPE, text=True)
    if compiled.returncode != 0:
        return compiled.returncode
    if options.api:
        built = swift(folder, "build", "--target", "Films")
        if built.returncode != 0:
            print(built.stdout)
            return 1
        write_api(folder, options.api)
    wrong = 0
    for task in range(1, COUNT + 1):
        for index in range(len(tries)):
            found = verdict(folder, products[index, task]) if (index, task) in products else "no solution"
            wrong += bool(found)
            print(f"task {task:>2}, try {index + 1}: {found or 'right'}", flush=True)
    whole = COUNT * len(tries)
    print(f"{whole - wrong} of {whole} are right")
    return 1 if wrong and not options.folders else 0


def write_api(folder, file):
    target = re.search(r'"triple"\s*:\s*"([^"]+)"', swift(folder, "-print-target-info").stdout).group(1)
    with tempfile.TemporaryDirectory() as symbols:
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", "Films", "-I", os.path.join(folder, ".build/debug/Modules"),
             "-target", target, "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", symbols],
            check=True)
        with open(file, "w") as text:
            subprocess.run(
                ["python3", os.path.join(ROOT, ".ci/api.py"), *glob.glob(os.path.join(symbols, "*.symbols.json"))],
                stdout=text, check=True)


if __name__ == "__main__":
    sys.exit(main())
