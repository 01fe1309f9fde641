// Numbers that behave in a set way, as buttons in a ruled list.

import { type Behaviour, numberOf } from "./behaviours.ts";

export interface BehaviourListProps {
  readonly behaviours: readonly Behaviour[];
  /** What a click does: "Text", "Call". */
  readonly verb: string;
  readonly chosen?: string | undefined;
  readonly disabled?: boolean;
  readonly onChoose: (number: string) => void;
}

export function BehaviourList({ behaviours, verb, chosen, disabled = false, onChoose }: BehaviourListProps) {
  return (
    <ul className="behaviours">
      {behaviours.map(({ line, name, does }) => (
        <li key={line}>
          <button
            type="button"
            disabled={disabled}
            aria-pressed={chosen === undefined ? undefined : chosen === numberOf(line)}
            onClick={() => onChoose(numberOf(line))}
          >
            <span className="vh">{verb} </span>
            <span className="mono dim">555 {line}</span>
            <span className="mono behaviour-name">{name}</span>
            <span className="behaviour-does">{does}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
