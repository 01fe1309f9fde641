// Why a file is refused as a letter of authorization, in words for its sender.

export interface DocumentFault {
  readonly code: "empty" | "too-large" | "not-a-document" | "broken" | "encrypted" | "too-complex";
  readonly says: string;
}

/** More than A4 at 1200 dpi; a larger image is a decompression bomb. */
export const PIXELS_MAX = 200_000_000;
export const PAGES_MAX = 200;

export const broken = (what: string): DocumentFault => ({ code: "broken", says: `The file is damaged: ${what}.` });

export const tooComplex = (what: string): DocumentFault => ({
  code: "too-complex",
  says: `The file is more than a letter: ${what}.`,
});

export function faultOfSize(width: number, height: number): DocumentFault | undefined {
  if (width < 1 || height < 1) return broken("a page of it has no size");
  return width * height > PIXELS_MAX ? tooComplex(`a page of it has ${width} × ${height} pixels`) : undefined;
}
