// `tandem operator tokens` and `audit`: the operators' own tokens, and what was done with them.

import type { Command } from "commander";
import { OPERATOR_ROLES, type OperatorRole } from "../../../../sdk/src/index.ts";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, limitOption, oneOf } from "../../arguments.ts";
import { gatherPages } from "../../gather-pages.ts";
import { print, printDone, printResult, printTable, say } from "../../output.ts";
import { wordsOf } from "../../print-trail.ts";

const TOKENS_HELP = `
Examples:
  tandem operator tokens list
  tandem operator tokens create ann@example.com --role support
`;

export function addOperatorTokensCommand(operator: Command): void {
  const tokens = operator
    .command("tokens")
    .summary("the operators' own tokens")
    .description("The operators' own tokens: admin does everything, support only reads.")
    .addHelpText("after", TOKENS_HELP);
  const list = tokens
    .command("list")
    .description("List the names and roles of operators' tokens.")
    .option("--json", "print JSON instead of a table");
  addOperatorOptions(list).action(async (flags: OperatorCallFlags) => {
    const { data } = await operatorClientOf(flags).tokens.list();
    printResult(data.items, flags, (items) =>
      printTable(
        ["Name", "Role", "Created"],
        items.map(({ createdOn, name, role }) => [name, role, createdOn]),
      ),
    );
  });
  addCreateCommand(tokens);
  const remove = tokens
    .command("delete")
    .description("Delete an operator's token. What uses it is refused from then on.")
    .argument("<name>", "the token's name")
    .option("--json", "print JSON");
  addOperatorOptions(remove).action(async (name: string, flags: OperatorCallFlags) => {
    await operatorClientOf(flags).tokens.remove(name);
    printDone({ name, deleted: true }, flags, `The token of ${name} is deleted.`);
  });
}

function addCreateCommand(tokens: Command): void {
  const command = tokens
    .command("create")
    .description("Make a token for an operator, shown this once. Its name stands in the audit log.")
    .argument("<name>", "whose it is, such as ann@example.com")
    .option("--role <role>", "admin does everything, support only reads", oneOf(OPERATOR_ROLES), "admin")
    .option("--json", "print JSON");
  addOperatorOptions(command).action(
    async (name: string, flags: OperatorCallFlags & { readonly role: OperatorRole }) => {
      const { data } = await operatorClientOf(flags).tokens.create({ name, role: flags.role });
      printResult(data, flags, ({ token }) => {
        print(`${token}\n`);
        say(
          `This is the token of ${name}, who may ${flags.role === "admin" ? "do everything" : "read"}. It is shown this once.`,
        );
      });
    },
  );
}

const AUDIT_HELP = `
Examples:
  tandem operator audit list --operator ann@example.com
  tandem operator audit list --subject AC01935f1e4c7b7000a3c41f0e5d9b2a17
`;

export function addAuditCommand(operator: Command): void {
  const audit = operator
    .command("audit")
    .summary("what operators did")
    .description("What operators did.")
    .addHelpText("after", AUDIT_HELP);
  const list = audit
    .command("list")
    .description("List what operators did, the newest first.")
    .option("--operator <name>", "with this operator's token")
    .option("--subject <sid>", "to this account, order, number, …")
    .addOption(limitOption())
    .option("--json", "print JSON instead of a table");
  interface Flags extends OperatorCallFlags {
    readonly operator?: string;
    readonly subject?: string;
    readonly limit: number;
  }
  addOperatorOptions(list).action(async (flags: Flags) => {
    const client = operatorClientOf(flags);
    const filters = given({ operator: flags.operator, subject: flags.subject });
    const items = await gatherPages((page) => client.auditLog.list({ ...filters, ...page }), flags.limit);
    printResult(items, flags, () =>
      printTable(
        ["At", "Operator", "Action", "Subject", "Details", "Request"],
        items.map((item) => [
          item.at,
          item.operator,
          item.action,
          item.subject ?? "-",
          wordsOf(item.details) || "-",
          item.requestId,
        ]),
      ),
    );
  });
}
