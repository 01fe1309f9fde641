// Lookup: can it be texted? One number, kept in the address (`?n=`), or a CSV file.

import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { readerQuery } from "../../components/number-reader.ts";
import { PageHead, Section } from "../../components/page.tsx";
import { usePlace } from "../../components/place.ts";
import { useSearchState } from "../../components/search-state.ts";
import { CsvLookup } from "./CsvLookup.tsx";
import { NumberAnswer } from "./NumberAnswer.tsx";
import "./lookup.css";

export function LookupScreen() {
  usePlace([{ label: "Lookup" }]);
  const [{ n = "" }, change] = useSearchState();
  return (
    <>
      <PageHead title="Lookup" sub="Whose number is it, and can it be texted?" />
      <Section title="One number">
        <NumberForm key={n} number={n} onLook={(number) => change({ n: number || undefined }, { push: true })} />
        {n !== "" && <NumberAnswer number={n} />}
      </Section>
      <Section title="A CSV file">
        <CsvLookup />
      </Section>
    </>
  );
}

interface NumberFormProps {
  readonly number: string;
  readonly onLook: (number: string) => void;
}

function NumberForm({ number, onLook }: NumberFormProps) {
  const [typed, setTyped] = useState(number);
  const look = async () => {
    const { read } = await queries.ensureQueryData(readerQuery);
    onLook(read(typed) ?? typed.trim());
  };
  return (
    <Form className="lookup-form" onSubmit={() => void look()}>
      <Input
        aria-label="Number"
        className="mono"
        inputMode="tel"
        placeholder="+1…"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={typed.trim() === ""}>
        Look up
      </Button>
    </Form>
  );
}
