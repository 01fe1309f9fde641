// One operation: what it does, its form, the same in code, and the response after "Send it". A request that changes
// something is sent only after confirmation.

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { callerOf } from "../../components/client-lines.ts";
import { CodeTabs } from "../../components/code.tsx";
import { confirm } from "../../components/dialog.tsx";
import { Loading, PageHead, Section } from "../../components/page.tsx";
import { Problem } from "../../components/verdict.tsx";
import { AnswerView } from "./AnswerView.tsx";
import { apiSnippets } from "./api-snippets.ts";
import { OperationForm } from "./OperationForm.tsx";
import type { Operation } from "./openapi.ts";
import { useOwnValues } from "./own-values.ts";
import { addressOf, sendOnce, type Values } from "./request.ts";

export interface OperationPageProps {
  readonly operation: Operation;
  readonly operations: readonly Operation[];
}

export function OperationPage({ operation, operations }: OperationPageProps) {
  const own = useOwnValues(operation, operations);
  const { method, path, summary, description } = operation;
  return (
    <>
      <PageHead
        title={summary}
        sub={
          <span className="mono api-path">
            <span className={`api-${method.toLowerCase()}`}>{method}</span> {path}
          </span>
        }
      />
      {description && <p className="mid api-description">{plain(description)}</p>}
      {own ? <Request operation={operation} own={own} /> : <Loading />}
    </>
  );
}

/** The document marks code with backticks. */
const plain = (text: string) => text.replaceAll("`", "");

function Request({ operation, own }: { readonly operation: Operation; readonly own: Values }) {
  const session = useSession();
  // The form keeps its first values, even when the account gets something newer meanwhile.
  const [values, setValues] = useState(own);
  const sending = useMutation({
    mutationFn: () => sendOnce(operation, values),
    onSuccess: () => {
      if (operation.method !== "GET") void queries.invalidateQueries();
    },
  });
  const send = async () => {
    if (operation.method === "GET" || (await isMeant(operation, values))) sending.mutate();
  };
  return (
    <>
      {operation.inputs.length > 0 && (
        <Section title="Values" aside="empty ones are not sent">
          <OperationForm operation={operation} values={values} onChange={setValues} onSubmit={() => void send()} />
        </Section>
      )}
      <Section title="Request">
        <div className="api-block">
          <CodeTabs
            label="Language"
            tabs={apiSnippets(callerOf(session), operation, values)}
            buttons={
              isSendable(operation) && (
                <Button small kind="primary" icon="send" busy={sending.isPending} onClick={() => void send()}>
                  Send it
                </Button>
              )
            }
          />
          {!isSendable(operation) && <p className="dim small">{reasonNotToSend(operation)}</p>}
        </div>
      </Section>
      {sending.error && <Problem what="No answer" error={sending.error} />}
      {sending.data && <AnswerView answer={sending.data} />}
    </>
  );
}

const isSendable = ({ id, body }: Operation) => body !== "files" && id !== "streamEvents";

const reasonNotToSend = ({ body }: Operation) =>
  body === "files" ? "It carries files: send it from code." : "It never ends: read it from code, or in the live log.";

function isMeant(operation: Operation, values: Values): Promise<boolean> {
  const { method, summary } = operation;
  return confirm({
    question: `${summary}: send it?`,
    cost: `${method} ${addressOf(operation, values)} does it for your account, as code would.`,
    verb: "Send it",
    refuse: "Not now",
  });
}
