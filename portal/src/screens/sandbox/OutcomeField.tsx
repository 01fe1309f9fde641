// Chooses an outcome in the outside world; the text below explains it.

import { SelectField } from "../../components/form.tsx";

export interface OutcomeFieldProps<Outcome extends string> {
  readonly outcomes: readonly Outcome[];
  readonly words: Readonly<Record<Outcome, string>>;
  readonly value: Outcome;
  readonly onChange: (outcome: Outcome) => void;
}

export function OutcomeField<Outcome extends string>({ outcomes, words, value, onChange }: OutcomeFieldProps<Outcome>) {
  return (
    <SelectField label="Outcome" hint={`Then ${words[value]}.`} options={outcomes} value={value} onChange={onChange} />
  );
}
