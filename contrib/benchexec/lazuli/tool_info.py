"""BenchExec's view of Lazuli: where it is, how it is called, what its answer means.

With `contrib/benchexec` on PYTHONPATH the module's name is `lazuli.tool_info`; docs/benchexec.md tells how to run it.
"""

import re

import benchexec.result as result
import benchexec.tools.template

DATA_MODELS = {"ILP32": "--32", "LP64": "--64"}
# A little before BenchExec's own limit, so that there is an answer.
SHARE_OF_TIME = 0.95
VERDICT = re.compile(r"(true|unknown|false(?:\([\w-]+\))?)  ")
# Of what Lazuli does not look for, such as termination, it knows nothing.
OTHER_PROPERTY = re.compile(r"the property '.*' is not supported")
ERRORS = {2: "usage", 4: "file", 5: "internal"}


class Tool(benchexec.tools.template.BaseTool2):
    """Lazuli, a verifier for multi-threaded C."""

    REQUIRED_PATHS = ["bin", "dist", "package.json"]

    def name(self):
        return "Lazuli"

    def executable(self, tool_locator):
        return tool_locator.find_executable("lazuli.js", subdir="bin")

    def program_files(self, executable):
        return self._program_files_from_executable(executable, self.REQUIRED_PATHS, parent_dir=True)

    def version(self, executable):
        return self._version_from_tool(executable)

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--format", "verdict", "--no-progress"]
        if task.property_file:
            command += ["--property", task.property_file]
        command += self._data_model(options, task)
        seconds = rlimits.cputime or rlimits.walltime
        if seconds and "--timeout" not in options:
            command += ["--timeout", str(max(1, int(seconds * SHARE_OF_TIME)))]
        return command + list(options) + list(task.input_files_or_identifier)

    @staticmethod
    def _data_model(options, task):
        model = task.options.get("data_model") if isinstance(task.options, dict) else None
        if model is None or any(flag in options for flag in DATA_MODELS.values()):
            return []
        if model not in DATA_MODELS:
            raise benchexec.tools.template.UnsupportedFeatureException(f"there is no data model {model}")
        return [DATA_MODELS[model]]

    def determine_result(self, run):
        """`true`, `false(PROPERTY)` or `unknown`; where there is no line with a verdict, the exit code says why."""
        for line in run.output:
            match = VERDICT.match(line)
            if match:
                return match.group(1)
            if OTHER_PROPERTY.search(line):
                return result.RESULT_UNKNOWN
        reason = ERRORS.get(run.exit_code.value)
        return result.RESULT_ERROR if reason is None else f"{result.RESULT_ERROR} ({reason})"
