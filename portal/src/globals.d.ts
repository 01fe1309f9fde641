// What the build puts into the portal.

/** The version of Tandem that the page was built with. */
declare const __VERSION__: string;
