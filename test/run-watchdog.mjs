// Ends what a killed test run leaves behind: servers, databases and its directory. It detects the end of the run by the
// end of its standard input. Only Linux shows which processes belong to a run.
//
// usage: node run-watchdog.mjs DIRECTORY

import { readdirSync, readFileSync, rmSync } from "node:fs";

const [directory] = process.argv.slice(2);
process.stdin.resume().on("end", () => {
  for (let left = processesOf(directory); left.length > 0; left = processesOf(directory)) {
    for (const pid of left) endNow(pid);
  }
  rmSync(directory, { recursive: true, force: true });
});

/** Processes that were started with the directory as TMPDIR, or with a path below it. */
function processesOf(place) {
  const pids = existing("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.map(Number).filter((pid) => {
    const started = `${read(`/proc/${pid}/environ`)}\0${read(`/proc/${pid}/cmdline`)}`;
    return started.split("\0").some((part) => part === `TMPDIR=${place}` || part.includes(`${place}/`));
  });
}

function existing(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended, or belongs to another user. */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function endNow(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
