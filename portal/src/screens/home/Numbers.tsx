// The account's numbers: those that are not Active first.

import type { Phone } from "@tandem/sdk";
import { Link } from "@tanstack/react-router";
import { Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { Status } from "../../components/status.tsx";

const SHOWN = 6;

export function Numbers({ phones }: { readonly phones: readonly Phone[] }) {
  const isActive = ({ status }: Phone) => Number(status === "Active");
  const sorted = phones.toSorted(
    (one, other) => isActive(one) - isActive(other) || one.number.localeCompare(other.number),
  );
  const all = (
    <Link className="link" to="/numbers">
      All {phones.length}
    </Link>
  );
  return (
    <Section title="Numbers" aside={all}>
      {phones.length === 0 && <p className="home-quiet">None yet.</p>}
      <ul className="home-numbers">
        {sorted.slice(0, SHOWN).map(({ number, name, status }) => (
          <li key={number}>
            <Link to={`/numbers/${number}`} className="hovers">
              <PhoneNumber value={number} />
              <span className="dim cut">{name}</span>
              <Status kind="number" value={status} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
