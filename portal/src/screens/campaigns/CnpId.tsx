// Our id at the campaign registry, to be entered there as the campaign's new CNP.

import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy.ts";

export function CnpId({ value }: { readonly value: string | null }) {
  if (value === null)
    return <p className="mid">This service is connected to no registry: campaigns are entered by hand.</p>;
  return (
    <p className="cnp-id">
      <span className="mid">Our CNP id</span>
      <b className="mono">{value}</b>
      <Button small icon="copy" onClick={() => void copyText(value, "The CNP id was")}>
        Copy
      </Button>
    </p>
  );
}
