"""All of the grader that a sandbox sees; the judge reads the protocol here too."""
