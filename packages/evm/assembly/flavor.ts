/** Whether every operation is reported to the host. The build replaces this file for the tracing build. */
export const TRACING: bool = false
