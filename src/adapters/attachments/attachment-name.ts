// A name for a fetched file: what the server calls it, or the last of its path, made harmless, with the ending of its real type.

import { MEDIA_TYPES, type MediaType } from "./sniff-type.ts";

const NAME_MAX = 60;

export function mediaName(url: URL, disposition: string | undefined, contentType: MediaType): string {
  const named = /;\s*filename\s*=\s*(?:"([^"]{0,255})"|([^\s;]{1,255}))/i.exec(disposition ?? "");
  const stem = safe(named?.[1] ?? named?.[2] ?? "") || safe(decoded(url.pathname)) || "media";
  return `${stem}.${MEDIA_TYPES[contentType]}`;
}

/** The last of a path without its ending, in letters that every phone knows. */
function safe(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? "";
  return last
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, NAME_MAX);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
