/**
 * The listening socket that the parent holds for a listener: connections wait in it while this process starts anew.
 * A cluster's workers look it up too: a number of theirs means the primary's file.
 * @returns its file descriptor, or undefined where the process has to listen by itself
 * @see https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html
 */
export function passedSocket(name: string): number | undefined {
  const { LISTEN_FDS, LISTEN_FDNAMES = '' } = process.env;
  const index = LISTEN_FDNAMES.split(':').indexOf(name);
  return index >= 0 && index < Number(LISTEN_FDS) ? 3 + index : undefined;
}
