// Sends a text to a number that behaves in a set way, and shows its outcome.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { client } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Section } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { failureWord, messageStatus, Status } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { BehaviourList } from "./BehaviourList.tsx";
import { numberOf, TEXT_BEHAVIOURS } from "./behaviours.ts";

export function TextLines({ ours }: { readonly ours: string }) {
  const [to, setTo] = useState(numberOf("0101"));
  const [text, setText] = useState("What if this fails?");
  const words = useRef<HTMLInputElement>(null);
  const sending = useAction({
    run: () => client.messages.send({ from: ours, to, text }),
    nouns: ["messages"],
  });
  const choose = (number: string) => {
    setTo(number);
    words.current?.focus();
  };
  return (
    <Section title="Text a line that misbehaves" aside="under any area code">
      <Form className="sandbox-form" onSubmit={sending.start}>
        <Input
          aria-label="To"
          className="mono sandbox-number"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
        <Input ref={words} aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
        <Button kind="primary" icon="send" type="submit" busy={sending.isPending} disabled={to === "" || text === ""}>
          Send
        </Button>
      </Form>
      {sending.error && <Problem what="Not sent" error={sending.error} />}
      {sending.data && <Became sid={sending.data.data.sid} />}
      <BehaviourList behaviours={TEXT_BEHAVIOURS} verb="Text" chosen={to} onChoose={choose} />
    </Section>
  );
}

/** The status of a text so far. */
function Became({ sid }: { readonly sid: string }) {
  const { data: message } = useQuery(
    dataQuery(["messages", "sandbox", sid], (options) => client.messages.get(sid, options)),
  );
  if (!message) return null;
  return (
    <p className="sandbox-became" aria-live="polite">
      <Status kind="message" value={messageStatus(message)} word={failureWord(message.errorCode)} />
      <Sid value={sid} />
      <Link className="link" to={`/messages/${sid}`}>
        {message.errorCode === 0 ? "See how" : "Read why"}
      </Link>
    </p>
  );
}
