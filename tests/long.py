"""What `make test` leaves to the parts of `make test-all`, and why."""

# Beginnings of the names of tests, in the spelling of pytest. These tests take longest: some train,
# wait or start programs, and some repeat what a short test checks in another engine or place. The
# widths, themes and exercises that tests/browser/conftest.py leaves out belong to the part "pages".
LONG = {
    "judge": {
        "tests/exercises/test_bank.py::TestTried": "tries a bank; others try ours",
        "tests/exercises/test_nbgrader.py": "a kernel, as test_kernel.py has",
        "tests/exercises/test_constant.py::test_honest_loops_end": "ten loops of 400 steps",
        "tests/exercises/test_training_runs.py": "trains five stored runs again",
        "tests/grader/test_attacks.py::test_letters_that": "a page of each kind of letter",
        "tests/grader/test_attacks.py::test_no_submission_fills": "writes until a limit is over",
        "tests/grader/test_kept.py::test_a_kept_notebook_gets_all_points[12_": "trains in torch",
        "tests/grader/test_kept.py::test_a_notebook_with_other_words": "test_helpers.py has letters",
        "tests/grader/test_friday.py": "two hundred submissions, and sixty of each system",
        "tests/grader/test_hostile.py::test_a_training_that": "waits until a limit is over",
        "tests/grader/test_identity.py::test_no_spelling": "a class in a sandbox; test_spelling.py",
        "tests/grader/test_kernel.py": "runs whole notebooks; test_helpers.py has a kernel, too",
        "tests/grader/test_newer.py::test_hostile_text": "texts of 100,000 letters, in a profiler",
        "tests/grader/test_spelling.py::test_what_else": "five classes, one after the other",
        "tests/grader/test_sources.py::test_a_mutant_loses": "test_assignments.py, in a sandbox",
        "tests/grader/test_time.py": "waits until a limit is over",
        "tests/grader/test_torch.py": "imports torch in a sandbox",
        "tests/grader/test_ways.py::test_the_check_says": "a kernel and a page for all ways",
        "tests/grader/test_unusual.py::test_a_habit": "whole assignments of ours, in a sandbox",
        "tests/grader/test_trouble.py::test_a_bubblewrap_that": "waits until a limit is over",
        "tests/grader/test_trouble.py::test_a_command_that_is_killed": "kills it many times",
        "tests/grader/test_trouble.py::test_code_that_sleeps": "waits until a limit is over",
    },
    "pages": {
        "tests/browser/test_accessibility.py::test_a_link_is_legible": "three kinds of links",
        "tests/browser/test_accessibility.py::test_a_page_beside": "pages with no text of ours",
        "tests/browser/test_accessibility.py::test_no_page_of_source": "fifty pages of code",
        "tests/browser/test_exercise_in_page.py::test_a_reader_asks": "a Python of its own",
        "tests/browser/test_exercise_in_page.py::test_a_wrong_answer": "a Python of its own",
        "tests/browser/test_exercise_in_page.py::test_another_file": "a page of its own",
        "tests/browser/test_exercise_in_page.py::test_every_assignment": "a Python for each",
        "tests/browser/test_exercise_in_page.py::test_the_page_never": "a page of its own",
        "tests/browser/test_hand_in.py::test_who_types": "types long lines by keys",
        "tests/browser/test_keys.py": "a press for each character",
        "tests/browser/test_published.py::test_a_load_that": "three Pythons of its own",
        "tests/browser/test_links.py::test_the_search_leads": "twenty pages of their own",
        "tests/browser/test_links.py::test_the_search_lists": "three pages of their own",
        "tests/browser/test_live.py::test_a_press_draws": "test_live_cells.py presses one",
        "tests/browser/test_live.py::test_a_page_that_has_run": "axe, as in test_used_page.py",
        "tests/browser/test_live.py::test_each_figure_runs": "test_live_cells.py presses one",
        "tests/browser/test_live_cells.py::test_a_text_is_cut": "a Python of its own",
        "tests/browser/test_live_cells.py::test_an_editor_comes": "a Python of its own",
        "tests/browser/test_live_cells.py::test_an_endless_loop": "a Python of its own",
        "tests/browser/test_live_cells.py::test_what_is_typed": "a Python of its own",
        "tests/browser/test_live_outputs.py": "a Python of its own",
        "tests/browser/test_menu.py::test_the_button_hides": "opens each page once more",
        "tests/browser/test_menu.py::test_the_contents_are_tapped": "opens each page once more",
        "tests/browser/test_moved.py::test_what_an_earlier": "store.test.mjs, in a browser",
        "tests/browser/test_own_language.py": "a Python of its own",
        "tests/browser/test_page.py::test_nothing_moves": "a slow phone, and so the clock",
        "tests/browser/test_page.py::test_screenshot": "pictures for people to look at",
        "tests/browser/test_present.py::test_a_full_stop": "opens the half hour once more",
        "tests/browser/test_present.py::test_a_marked_lecture": "each slide of four chapters",
        "tests/browser/test_present.py::test_all_text_is_on": "each slide of fifteen chapters",
        "tests/browser/test_present.py::test_every_page": "opens each page once more",
        "tests/browser/test_present.py::test_hands": "opens the half hour once more",
        "tests/browser/test_present.py::test_it_works_from": "opens the half hour once more",
        "tests/browser/test_present.py::test_no_slide_has": "axe, on each slide of two chapters",
        "tests/browser/test_present.py::test_paper_has": "prints two chapters",
        "tests/browser/test_present.py::test_the_answers": "opens the half hour once more",
        "tests/browser/test_present.py::test_the_picture": "opens the front page once more",
        "tests/browser/test_present.py::test_the_speaker": "opens the half hour once more",
        "tests/browser/test_present.py::test_what_a_slide": "each slide of fifteen chapters",
        "tests/browser/test_print.py::test_the_ledger": "opens a long chapter once more",
        "tests/browser/test_published.py::test_a_login_page": "a Python of its own",
        "tests/browser/test_published.py::test_a_chapter": "the published model of 98 MB",
        "tests/browser/test_published.py::test_two_books": "two Pythons of its own",
        "tests/browser/test_unpacked.py": "a zip of the book, and a Python of its own",
        "tests/browser/test_two_books.py": "store.test.mjs, in a browser",
    },
    "lab": {
        "tests/browser/test_exercise_in_lab.py": "an exercise, in JupyterLab",
        "tests/browser/test_jupyterlab.py": "each notebook, in JupyterLab",
    },
    "engines": {
        "tests/browser/test_engines.py": "Firefox and WebKit",
        "tests/browser/test_present.py::test_a_cell_runs": "a Python in each engine",
        "tests/browser/test_present.py::test_a_stepper_and": "Firefox and WebKit",
        "tests/browser/test_present.py::test_an_arrow_and": "Firefox and WebKit",
        "tests/browser/test_present.py::test_keys_and": "Firefox and WebKit",
        "tests/browser/test_hand_in.py::test_an_assignment": "each key, in Chromium and Firefox",
    },
    "training": {
        "tests/book/test_conditions.py::test_one_change_in_ten": "runs chapters a hundred times",
        "tests/book/test_models.py::test_the_kept_vocabularies": "learns vocabularies again",
        "tests/book/test_whole_model.py::test_it_learns_from_any_start": "nbval runs one seed",
        "tests/course/test_seeds.py::test_every_claim": "runs the chapters that nbval runs",
        "tests/course/training/test_stored_models.py": "trains the stored models again",
        "tests/model/test_next_logits.py::test_beams_of_one_length": "searches many beams",
        "tests/nn/test_nn_modules_run.py::test_compiled": "torch compiles nine models",
        "tests/nn/test_nn_modules_run.py::test_exported": "torch exports nine models",
        "tests/nn/test_nn_modules_run.py::test_two_processes": "starts two processes with torch",
        "tests/training/test_training_command.py::test_killed_at": "kills a run many times",
        "tests/training/test_training_workers.py": "runs of several processes",
    },
    "tools": {
        "tests/book/test_help.py": "starts a Python for each command",
        "tests/book/test_outputs.py::test_the_last_words": "all of a build but the pages",
        "tests/book/test_portable.py": "runs a small project three times",
        "tests/book/test_solutions.py::test_the_edition_builds": "a second book",
        "tests/test_bench.py": "a benchmark of nothing",
        "tests/test_bench_pages.py": "a benchmark of nothing",
        "tests/test_docker.py": "no change of a chapter reaches it",
        "tests/test_install.py": "makes environments",
        "tests/test_types.py": "mypy once more, as readers call it",
    },
    "numpy": {"tests/test_oldest_numpy.py": "the library's tests once more"},
    "real": {
        "chapters/19_published_model.ipynb": "a published model of 98 MB",
        "chapters/own_experiment.ipynb": "the same model",
        "tests/course/published/test_score.py::test_the_published_model": "the same model",
        "tests/exercises/test_published_model.py::test_the_stored": "measures with its file",
        "tests/families/test_gguf.py::TestThePublishedModel": "a published model of 98 MB",
        "tests/text/test_corpus.py::test_with_the_pinned": "nbval prints its numbers",
        "tests/text/test_gguf_tokenizer.py::test_its_tokenizer_gives": "its tokenizer",
    },
}

# Of these `make test` runs what has one of the words.
FEW_OF_EACH = {
    "tests/browser/test_accessibility.py::test_a_new_page": [
        *("chapters/04_attention-", "gallery-", "glossary-", "whole_model-"),
    ],
    "tests/browser/test_file_url.py": ["04_attention"],
    "tests/browser/test_fits.py": ["390-light"],
    "tests/browser/test_offline.py": [
        "waited_for[chromium",
        "log_in_is_shown_and_not_kept[chromium",
        "starts_no_worker",
    ],
    "tests/browser/test_hosts.py": ["chromium-Stripping"],
    "tests/browser/test_live.py": ["04_attention"],
    "tests/browser/test_menu.py": ["04_attention-390", "04_attention-1280"],
    "tests/browser/test_page.py::test_a_dark_page": ["04_attention"],
    "tests/browser/test_print.py": ["chapters/04_attention"],
    "tests/browser/test_questions.py": ["02_embeddings"],
    "tests/browser/test_used_page.py": ["04_attention"],
    "tests/browser/test_without_script.py": ["04_attention"],
    "tests/exercises/test_assignments.py::test_numbers_of_a_student": ["04_attention"],
    "tests/grader/test_attempts.py::test_a_class_in_one_folder": ["[group_a/inner/"],
    "tests/grader/test_exports.py::test_no_name_that_a_student_chooses": ["[moodle]"],
    "tests/grader/test_kept.py::test_a_kept_notebook": "02_ 04_ 05_ 08_ 11_ 14_ 17_ 19_pub".split(),
    # What a reused mistake costs in the other assignments, and what a cheater tries besides.
    "tests/grader/test_carried.py": ["used_everywhere", "gains_at_most", "tags_of_the_student"],
    "tests/grader/test_paper.py::test_the_typed_answers": ["04_attention"],
    "tests/grader/test_paper.py::test_answers_for_no_id": ["04_attention"],
    # What the other assignments gain, test_assignments.py says without a sandbox.
    "tests/grader/test_sources.py::test_the_release_gets_none": ["04_attention", "14_families"],
    "tests/grader/test_spelling.py::test_honest_students": ["[True-True]", "[False-False]"],
}


def part_of(name: str) -> str:
    """The part of `make test-all` to which `make test` leaves a test, "" for none."""
    for part, tests in LONG.items():
        if name.startswith(tuple(tests)):
            return part
    for beginning, words in FEW_OF_EACH.items():
        if name.startswith(beginning) and not any(word in name for word in words):
            engines = "[firefox" in name or "[webkit" in name
            return "engines" if engines else "pages" if "/browser/" in name else "judge"
    return ""
