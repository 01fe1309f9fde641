// The `tandem` command.

import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { serve } from "../server/serve.ts";

const program = new Command("tandem")
  .description("A phone platform that anyone can run.")
  .version(packageJson.version)
  .showHelpAfterError();

program
  .command("serve")
  .description("start the server; settings come from the environment (see config.example.env)")
  .action(async () => {
    process.exitCode = await serve({ environment: process.env, version: packageJson.version });
  });

await program.parseAsync();
