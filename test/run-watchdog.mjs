// Ends what a test run leaves behind when it is killed: servers, databases and its directory. It is told nothing then:
// its standard input ends. Linux alone says which processes belong to a run.
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

/** They were started with the directory as TMPDIR, or with a path below it. */
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

/** Nothing of a process that has ended, or is another user's. */
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
