// The address of what a page shows: its path and its filters, without the row that happens to be open.

interface Place {
  readonly pathname: string;
  /** Empty, or with its question mark. */
  readonly search: string;
}

export function viewAddress({ pathname, search }: Place): string {
  const query = search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("sel="))
    .join("&");
  return query === "" ? pathname : `${pathname}?${query}`;
}

/** Of the same page, whatever it is filtered by. */
export const isSamePage = (one: string, other: string): boolean => one.split("?", 1)[0] === other.split("?", 1)[0];

/** As people read it; an address that cannot be decoded is shown as it is. */
export function readableAddress(address: string): string {
  try {
    return decodeURIComponent(address.replaceAll("+", " "));
  } catch {
    return address;
  }
}
