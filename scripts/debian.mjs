// Installs the real peers of the tests from Debian's packages, if we are root. Otherwise their tests are skipped with
// the reason, or fail if CI=true.

import { accessSync, constants, existsSync } from "node:fs";
import { run } from "./prepare.mjs";

/** Program → Debian package, and further packages that it needs. */
const PEERS = {
  "/usr/sbin/named": "bind9",
  "/usr/bin/wrk": "wrk",
  "/usr/sbin/bearerbox": "kannel",
  "/usr/bin/aiosmtpd": "python3-aiosmtpd",
  "/usr/bin/sipp": "sip-tester",
  "/usr/bin/baresip": "baresip-core",
  "/usr/bin/linphonec": "linphone-cli",
  "/usr/sbin/kamailio": "kamailio",
  "/usr/bin/rtpengine": "rtpengine-daemon",
  "/usr/bin/sip-options": "sofia-sip-bin",
  "/usr/bin/svmap": "sipvicious",
  "/usr/bin/ffprobe": "ffmpeg",
  "/usr/bin/sox": "sox libsox-fmt-mp3",
  "/usr/bin/chromium": "chromium fonts-inter",
  "/usr/bin/lame": "lame",
  "/usr/bin/zsh": "zsh",
  "/usr/bin/fish": "fish",
  "/usr/bin/zstd": "zstd",
  "/usr/bin/ruby": "ruby",
  "/usr/sbin/pgbouncer": "pgbouncer",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
  "/usr/bin/promtool": "prometheus",
  "/usr/bin/docker-compose": "docker-compose",
};

/** What only some runs need: one benchmark, or the image of a release. */
const MORE = {
  media: { "/usr/bin/gcc": "gcc" },
  streams: { "/usr/bin/gcc": "gcc" },
  image: { "/usr/bin/buildah": "buildah", "/usr/bin/crun": "crun", "/usr/bin/mmdebstrap": "mmdebstrap" },
};

/** The peers of the tests, and `more`: a key of MORE, or another word, which adds nothing. */
export async function installDebianPackages(more) {
  await installMissing({ ...PEERS, ...MORE[more] });
}

export async function installImageBuilder() {
  await installMissing(MORE.image);
}

async function installMissing(programs) {
  const missing = Object.entries(programs).filter(([program]) => !isProgram(program));
  if (missing.length === 0) return;
  const names = missing.flatMap(([, packages]) => packages.split(" "));
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    console.log(`· not installed, and not ours to install here: ${names.join(", ")}`);
    return;
  }
  console.log(`· installing Debian packages: ${names.join(", ")}`);
  // Runlevel 1 is maintenance mode: packages start no daemons.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const quiet = { env, stdio: ["ignore", "ignore", "inherit"] };
  await run("apt-get", ["update", "-qq"], quiet);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], quiet);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
