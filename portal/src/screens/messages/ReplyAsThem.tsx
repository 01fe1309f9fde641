// In the sandbox the user can act as the other party: a text from their telephone to ours.

import { useState } from "react";
import { client } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";

export interface ReplyProps {
  readonly theirs: string;
  readonly ours: string | undefined;
  readonly onClose: () => void;
}

export function ReplyAsThem({ theirs, ours, onClose }: ReplyProps) {
  const [text, setText] = useState("");
  const reply = useAction({
    run: () => client.sandbox.receiveMessage({ from: theirs, to: ours ?? "", text }),
    onDone: onClose,
  });
  return (
    <Form className="reply" onSubmit={() => text.trim() !== "" && reply.start()}>
      {reply.error && <Problem what="Not answered" error={reply.error} />}
      <Input
        // The user has just opened the field.
        autoFocus
        aria-label={`Text from ${theirs}`}
        placeholder={`Text from ${theirs}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      />
      <Button type="submit" busy={reply.isPending} disabled={ours === undefined}>
        Answer as them
      </Button>
    </Form>
  );
}
