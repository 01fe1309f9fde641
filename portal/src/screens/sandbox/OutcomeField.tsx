// Chooses an outcome in the outside world; the text below explains it.

import { Field } from "../../components/field.tsx";

export interface OutcomeFieldProps<Outcome extends string> {
  readonly outcomes: readonly Outcome[];
  readonly words: Readonly<Record<Outcome, string>>;
  readonly value: Outcome;
  readonly onChange: (outcome: Outcome) => void;
}

export function OutcomeField<Outcome extends string>({ outcomes, words, value, onChange }: OutcomeFieldProps<Outcome>) {
  return (
    <Field label="Outcome" hint={`Then ${words[value]}.`}>
      {(given) => (
        <select
          {...given}
          className="input"
          value={value}
          onChange={(event) => onChange(outcomes.find((outcome) => outcome === event.target.value) ?? value)}
        >
          {outcomes.map((outcome) => (
            <option key={outcome}>{outcome}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
