// Letters of authorization to upload: PDF, JPEG, PNG or TIFF, 10 MiB at most.

import type { PortFile } from "@tandem/sdk";
import { Field } from "../../components/field.tsx";

interface FileFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

const FILE_BYTES_MAX = 10 * 1024 * 1024;

export function FileField({ label, hint = "PDF, JPEG, PNG or TIFF, up to 10 MB.", files, onChange }: FileFieldProps) {
  const big = files.find(({ size }) => size > FILE_BYTES_MAX);
  return (
    <Field label={label} hint={hint} fault={big && `${big.name} is larger than 10 MB: scan it with fewer dots.`}>
      {(given) => (
        <input
          {...given}
          className="input file-input"
          type="file"
          multiple
          accept=".pdf,.jpg,.jpeg,.png,.tif,.tiff"
          onChange={(event) => onChange([...(event.target.files ?? [])])}
        />
      )}
    </Field>
  );
}

export function filesOf(files: readonly File[]): Promise<readonly PortFile[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
