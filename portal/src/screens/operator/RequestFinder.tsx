// Finds a request by the id that its caller has (X-Request-Id, or the traceId of the refusal): what it created, or why
// it was refused.

import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Section } from "../../components/page.tsx";
import { RequestAnswer } from "../../components/request-answer.tsx";
import { useSearchState } from "../../components/search-state.ts";

export function RequestFinder({ accountSid }: { readonly accountSid?: string }) {
  const [{ request = "" }, change] = useSearchState();
  const [typed, setTyped] = useState(request);
  return (
    <Section title="Find a request" aside="what it made, or why it was refused">
      <Form className="operator-find" onSubmit={() => change({ request: typed.trim() || undefined })}>
        <Input
          aria-label="Request id"
          className="mono"
          placeholder="X-Request-Id, traceId or sid"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">Find</Button>
      </Form>
      {request !== "" && <RequestAnswer id={request} accountSid={accountSid} />}
    </Section>
  );
}
