import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeMedia } from "./judge-attachment.ts";
import { MEDIA_TYPES, sniffType } from "./sniff-type.ts";

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const box = (brand: string) => latin1(`\0\0\0\x18ftyp${brand}\0\0\0\0`);

const SAMPLES: readonly (readonly [string, Uint8Array])[] = [
  ["image/jpeg", latin1("\xff\xd8\xff\xe0\0\x10JFIF")],
  ["image/jpeg", latin1("\xff\xd8\xff\xe1..Exif")],
  ["image/png", latin1("\x89PNG\r\n\x1a\n....")],
  ["image/gif", latin1("GIF89a....")],
  ["image/webp", latin1("RIFF\x10\0\0\0WEBPVP8 ")],
  ["image/bmp", latin1("BM\x10\0\0\0\0\0\0\0\x36\0\0\0")],
  ["image/tiff", latin1("II*\0\x08\0\0\0")],
  ["image/heic", box("heic")],
  ["image/avif", box("avif")],
  ["video/mp4", box("isom")],
  ["video/mp4", box("mp42")],
  ["video/3gpp", box("3gp4")],
  ["video/3gpp2", box("3g2a")],
  ["video/quicktime", box("qt  ")],
  ["video/webm", latin1("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm")],
  ["video/mpeg", latin1("\0\0\x01\xba\x44\0")],
  ["audio/mpeg", latin1("ID3\x03\0\0")],
  ["audio/mpeg", latin1("\xff\xfb\x90\x64\0\0")],
  ["audio/mp4", box("M4A ")],
  ["audio/aac", latin1("\xff\xf1\x50\x80")],
  ["audio/amr", latin1("#!AMR\n\x3c")],
  ["audio/amr-wb", latin1("#!AMR-WB\n\x3c")],
  ["audio/wav", latin1("RIFF\x10\0\0\0WAVEfmt ")],
  ["audio/ogg", latin1("OggS\0\x02")],
  ["application/pdf", latin1("%PDF-1.7\n%\xe2\xe3")],
  ["text/vcard", utf8("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë\r\nEND:VCARD\r\n")],
  ["text/calendar", utf8("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")],
];

test.each(SAMPLES)("%s is known by its bytes", (contentType, bytes) => {
  expect(sniffType(bytes)).toEqual({ kind: "media", contentType });
  expect(Object.keys(MEDIA_TYPES)).toContain(contentType);
});

test.each([
  ["a page", "\n <!DOCTYPE html><title>x</title>"],
  ["a page without a head", "<p>hello"],
  ["a page behind words", "404 page not found <html>"],
  ["a drawing", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["XML", '\ufeff<?xml version="1.0"?><x/>'],
])("%s is markup", (_, text) => {
  expect(sniffType(utf8(text))).toEqual({ kind: "markup" });
});

test.each([
  ["a program", latin1("\x7fELF\x02\x01\x01\0")],
  ["a Windows program", latin1("MZ\x90\0\x03\0\0\0")],
  ["an archive", latin1("PK\x03\x04\x14\0")],
  ["Matroska", latin1("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska")],
  ["broken UTF-8", latin1("hello \xff\xfe")],
  ["nothing", new Uint8Array()],
  ["white space", utf8("  \n")],
])("%s is nothing we know", (_, bytes) => {
  expect(sniffType(bytes)).toEqual({ kind: "unknown" });
});

test("any bytes are something", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => sniffType(bytes).kind.length > 0));
});

const png = latin1("\x89PNG\r\n\x1a\n....");
const html = utf8("<!doctype html><html></html>");
const text = utf8("Guten Tag, schöne Grüße");
const json = utf8('{"error":"not found"}');

test.each([
  ["image/png", png, "image/png"],
  ["image/jpeg", png, "image/png"],
  ["IMAGE/PNG; charset=binary", png, "image/png"],
  ["application/octet-stream", png, "image/png"],
  [undefined, png, "image/png"],
  ["audio/mp4", box("isom"), "audio/mp4"],
  ["audio/3gpp", box("3gp4"), "video/3gpp"],
  ["video/ogg", latin1("OggS\0\x02"), "audio/ogg"],
  ["text/plain; charset=utf-8", text, "text/plain"],
  ["text/x-vcard", utf8("BEGIN:VCARD\n"), "text/vcard"],
  ["text/plain", utf8("BEGIN:VCARD\n"), "text/vcard"],
])("%j with such bytes is taken as %3$s", (declared, bytes, contentType) => {
  expect(judgeMedia(bytes, declared)).toEqual({ ok: true, value: contentType });
});

test.each([
  ["image/png", html, "lies-about-type"],
  ["image/png", json, "lies-about-type"],
  ["video/mp4", png, "lies-about-type"],
  ["application/pdf", png, "lies-about-type"],
  ["text/html", png, "lies-about-type"],
  ["image/svg+xml", utf8("<svg/>"), "lies-about-type"],
  ["text/plain", html, "lies-about-type"],
  ["text/html", html, "not-media"],
  ["application/json", json, "not-media"],
  ["application/octet-stream", text, "not-media"],
  [undefined, latin1("\x7fELF"), "not-media"],
])("%j with such bytes is refused: %3$s", (declared, bytes, reason) => {
  expect(judgeMedia(bytes, declared)).toMatchObject({ ok: false, refusal: { reason } });
});
