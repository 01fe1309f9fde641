// The tokens of an account: an operator makes a second one, shown once, and deletes either.

import type { TokenOrder } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { Section } from "../../components/page.tsx";
import { TokenRights } from "../../components/token-rights.tsx";
import { useAction } from "../../components/use-action.ts";
import { useIsAdmin } from "./operator-parts.tsx";

export function AccountTokens({ accountSid }: { readonly accountSid: string }) {
  const isAdmin = useIsAdmin();
  const [shown, setShown] = useState<string>();
  const [rights, setRights] = useState<TokenOrder>({});
  const create = useAction({
    run: () => operator.accounts.createToken(accountSid, rights),
    onDone: ({ data }) => setShown(data.token),
    failed: "Not made.",
  });
  const remove = useAction({
    ask: (n: number) => ({
      question: `Delete token ${n}?`,
      cost: "Programs and pages of the account that signed in with it are out at once.",
      verb: `Delete token ${n}`,
    }),
    run: (n) => operator.accounts.deleteToken(accountSid, n),
    done: (_, n) => `Token ${n} is no longer good.`,
    failed: "Not deleted.",
  });
  return (
    <Section title="Tokens">
      <div className="operator-block">
        <p className="mid">An account has one or two. Neither can be read; a new one is shown once.</p>
        {isAdmin && <TokenRights rights={rights} onChange={setRights} />}
        {isAdmin && (
          <div className="row">
            <Button busy={create.isPending} onClick={() => create.start()}>
              Make a second token
            </Button>
            {[1, 2].map((n) => (
              <Button key={n} kind="danger" busy={remove.isPending} onClick={() => remove.start(n)}>
                Delete token {n}
              </Button>
            ))}
          </div>
        )}
        {shown !== undefined && (
          <div role="status">
            <p className="strong">Copy it now, it is not shown again.</p>
            <CodeLine text={shown} language="plain" />
          </div>
        )}
      </div>
    </Section>
  );
}
