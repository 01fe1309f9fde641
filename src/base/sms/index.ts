export { countSeptets, decodeGsm7, encodeGsm7, packSeptets, unpackSeptets } from "./gsm7.ts";
export { countSegments, type SegmentedText, type SegmentOptions, type SmsEncoding, segmentText } from "./segment.ts";
export { smartEncode } from "./smart-encoding.ts";
