// Tokens of the account, and the secret of callbacks that messages bring along. What is made is shown once.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/code.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Time } from "../../components/time.tsx";
import { toast } from "../../components/toast.tsx";
import { Problem } from "../../components/verdict.tsx";

interface Shown {
  readonly what: string;
  readonly text: string;
}

export function Tokens({ secretSince }: { readonly secretSince: string | null }) {
  const [shown, setShown] = useState<Shown>();
  const create = useMutation({
    mutationFn: () => client.account.createToken(),
    onSuccess: ({ data }) => setShown({ what: `Token ${data.n}`, text: data.token }),
  });
  const rotate = useMutation({
    mutationFn: () => client.account.rotateWebhookSecret(),
    onSuccess: ({ data }) => {
      setShown({ what: "Secret of callbacks", text: data.secret });
      void queries.invalidateQueries({ queryKey: ["account"] });
    },
  });
  const fault = create.error ?? rotate.error;
  return (
    <div className="account-block">
      <p className="mid">
        An account has up to two tokens, so that one can be replaced while the other is in use: make the second, change
        your programs, delete the first.
      </p>
      <div className="row">
        <Button busy={create.isPending} onClick={() => create.mutate()}>
          Make a second token
        </Button>
        {[1, 2].map((n) => (
          <DeleteToken key={n} n={n} />
        ))}
      </div>
      <p className="mid">
        Callbacks that messages bring along are signed with the account's secret
        {secretSince && (
          <>
            {" "}
            (since <Time at={secretSince} form="day" />)
          </>
        )}
        .
      </p>
      <div className="row">
        <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
          Make a new secret
        </Button>
      </div>
      {fault && <Problem what="Not made" error={fault} />}
      {shown && (
        <div role="status">
          <p className="strong">{shown.what}: copy it now, it is not shown again.</p>
          <CodeLine text={shown.text} language="plain" />
        </div>
      )}
    </div>
  );
}

function DeleteToken({ n }: { readonly n: number }) {
  const remove = useMutation({
    mutationFn: () => client.account.deleteToken(n),
    onSuccess: () => toast.done(`Token ${n} is no longer good.`),
    onError: (error) => toast.problem("Not deleted.", error),
  });
  const ask = async () => {
    const cost = "Programs and pages that signed in with it are out at once. You may be, too.";
    if (await confirm({ question: `Delete token ${n}?`, cost, verb: `Delete token ${n}` })) remove.mutate();
  };
  return (
    <Button kind="danger" busy={remove.isPending} onClick={() => void ask()}>
      Delete token {n}
    </Button>
  );
}
