// Runs all checks of what the server depends on.

import { resolve } from "node:path";
import { makeSpeechEngine } from "../../../adapters/speech/speech-settings.ts";
import { type Config, readConfig } from "../../../server/config/config.ts";
import { SETTINGS, type Settings } from "../../../server/config/settings.ts";
import { readDemoEnv } from "../../../server/sandbox/demo-env.ts";
import { checkCarriers } from "./carriers.ts";
import { checkDatabase } from "./database.ts";
import { type Finding, fail, ok } from "./finding.ts";
import { checkClock, checkDataDir, checkNode, checkOpenFiles, checkSecretKey } from "./machine.ts";
import { checkNumbering } from "./numbering.ts";
import { checkServer } from "./server-probe.ts";
import { checkVoice } from "./voice.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Program {
  readonly version: string;
  /** As in package.json: `^20.19.2 || >=22`. */
  readonly nodeWanted: string;
}

export async function examine(environment: Environment, about: Program): Promise<readonly Finding[]> {
  const settings = validSettings(environment);
  const config = readConfig(environment);
  const dataDir = resolve(settings.TANDEM_DATA_DIR);
  const now = new Date();
  const numbering = checkNumbering(settings.TANDEM_NUMBERING_FILE, now);
  const database = await checkDatabase(settings.TANDEM_DATABASE_URL, dataDir);
  const server = await checkServer({
    host: settings.TANDEM_HOST,
    port: settings.TANDEM_PORT,
    isTls: settings.TANDEM_TLS_CERT !== undefined,
    knownUrl: readDemoEnv(dataDir).get("TANDEM_URL"),
  });
  const others = [
    ...(database.aheadMs === undefined ? [] : [{ whose: "the database", aheadMs: database.aheadMs }]),
    ...(server.aheadMs === undefined ? [] : [{ whose: "the server", aheadMs: server.aheadMs }]),
  ];
  return [
    checkNode(process.versions.node, about.nodeWanted),
    ...checkSettings(config),
    ...checkOpenFiles(),
    checkDataDir(dataDir),
    checkSecretKey({
      dataDir,
      given: settings.TANDEM_SECRET_KEY,
      sealed: database.keyCheck,
      underEarlierKeys: database.underEarlierKeys ?? 0,
      isDatabaseMade: database.isBuiltInMade === true,
    }),
    ...database.findings,
    numbering.finding,
    ...server.findings,
    ...(config.ok ? await checkCarriers(config.value.file.carriers) : []),
    ...(config.ok ? await checkVoice(config.value.file.sip, settings, () => speechOf(config.value)) : []),
    checkClock({ now, notBefore: numbering.asOf, others }),
  ];
}

const speechOf = ({ file, secret }: Config) => makeSpeechEngine(file.speech, secret);

function checkSettings(config: ReturnType<typeof readConfig>): readonly Finding[] {
  if (config.ok) return [ok("Settings", "all right")];
  const advice = "Correct it in the environment; config.example.env tells what each setting may be.";
  return config.refusal.map((fault) => fail("Settings", fault, advice));
}

/** Treats an invalid setting as not given, so that it does not hide other faults. */
function validSettings(environment: Environment): Settings {
  const read = Object.entries(SETTINGS).map(([name, { schema }]) => {
    const given = schema.safeParse(environment[name] || undefined);
    return [name, given.success ? given.data : schema.safeParse(undefined).data];
  });
  return Object.fromEntries(read) as Settings;
}
