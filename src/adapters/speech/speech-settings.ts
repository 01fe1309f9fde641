// The `speech` of tandem.config.json: its schema, and the engine made from it. A new kind is one more schema in the
// union and one more case in `makeSpeechEngine`.

import { z } from "zod";
import { type EnvironmentLookup, secretOf } from "../../base/secret-text.ts";
import { isServiceUrl, secret } from "../setting-fields.ts";
import { CommandEngine } from "./command-engine.ts";
import type { SpeechEngine } from "./engine.ts";
import { FLITE_VOICES, FliteEngine } from "./flite-engine.ts";
import { HttpEngine } from "./http-engine.ts";

export const speechSettings = z
  .discriminatedUnion("engine", [
    z
      .strictObject({
        engine: z.literal("flite"),
        voice: z.enum(FLITE_VOICES).default("slt").describe("slt is a woman's voice, the others are men's."),
      })
      .describe("The embedded engine, which speaks English."),
    z
      .strictObject({
        engine: z.literal("command"),
        command: z
          .array(z.string().min(1).max(1000))
          .min(1)
          .max(50)
          .describe('Program and arguments, such as ["espeak-ng", "--stdin", "--stdout", "-v", "de"].'),
      })
      .describe("A program that reads text from its standard input and writes a WAV file to its standard output."),
    z
      .strictObject({
        engine: z.literal("http"),
        url: z.string().max(1000).refine(isServiceUrl, "must be https, or http on this machine, without a query"),
        authorization: secret.optional().describe("The Authorization header, such as env:SPEECH_AUTHORIZATION."),
        voice: z.string().min(1).max(200).optional().describe("Passed on."),
        language: z.string().min(1).max(35).optional().describe("Passed on, such as de or pt-BR."),
      })
      .describe("A service that answers POST { text, voice, language } with a WAV file."),
  ])
  .default({ engine: "flite", voice: "slt" })
  .describe("Who speaks the texts of scripts and prompts.");

export type SpeechSettings = z.output<typeof speechSettings>;

export function makeSpeechEngine(settings: SpeechSettings, environment: EnvironmentLookup): SpeechEngine {
  switch (settings.engine) {
    case "flite":
      return new FliteEngine(settings);
    case "command":
      return new CommandEngine(settings.command);
    case "http": {
      const { url, voice, language, authorization } = settings;
      const header = authorization === undefined ? undefined : secretOf(authorization, environment);
      return new HttpEngine({ url, voice, language, authorization: header });
    }
    default:
      return settings satisfies never;
  }
}

/** The name of the speaker and its language; null when the settings name no language. */
export function speakerOf(settings: SpeechSettings): { readonly name: string; readonly language: string | null } {
  switch (settings.engine) {
    case "flite":
      return { name: settings.voice, language: "en" };
    case "command":
      return { name: settings.command[0] ?? "command", language: null };
    case "http":
      return { name: settings.voice ?? "the speech service", language: settings.language ?? null };
    default:
      return settings satisfies never;
  }
}
