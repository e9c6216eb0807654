/** What a page says instead of its content. Each text answers: what happened, is anything lost, where to go. */
export interface ErrorText {
  title: string;
  text: string;
  /** Trying the same again can help. */
  retry?: true;
}

const byStatus: Record<number, ErrorText> = {
  400: {
    title: 'This request could not be read',
    text: 'The address or what was sent with it has a form that this site does not know. Nothing was stored.',
  },
  401: {
    title: 'This page asks who you are',
    text: 'It is shown to people who are signed in, and you are not, or no longer. Nothing was changed.',
  },
  403: {
    title: 'This page is not open to you',
    text: 'You are known here, but this page is for others. Nothing was changed.',
  },
  404: {
    title: 'There is no page at this address',
    text: 'The address may be mistyped, or the page was moved. Nothing you entered has been lost.',
  },
  405: {
    title: 'This page takes no entries',
    text: 'Something was sent to an address that only shows a page. Nothing was stored.',
  },
  409: {
    title: 'The site was renewed while you were reading',
    text: 'Load this page again to go on. What you wrote is kept in this tab.',
    retry: true,
  },
  410: {
    title: 'This page is no longer here',
    text: 'It was taken off the site. Nothing you entered has been lost.',
  },
  413: {
    title: 'That was too much at once',
    text: 'What was sent is larger than this site accepts. Nothing was stored; please shorten it.',
  },
  429: {
    title: 'Too many requests at once',
    text: 'More came from your address than the site can answer. Wait a minute, then try again. What was sent just now was not stored.',
    retry: true,
  },
  503: {
    title: 'This part of the site does not answer',
    text: 'It will be back soon; the rest works. If you were sending an inquiry, it may have arrived or not: sending it again in a few minutes does no harm.',
    retry: true,
  },
};

const otherFault: ErrorText = {
  title: 'This page could not be shown',
  text: 'A part of the site failed. The rest works.',
  retry: true,
};

/** The text of a status. 500, 0 (an exception in the browser) and what else has none of its own share one. */
export function errorText(status: number): ErrorText {
  return (
    byStatus[status] ??
    (status >= 400 && status < 500 ? (byStatus[400] as ErrorText) : status === 504 ? (byStatus[503] as ErrorText) : otherFault)
  );
}

/** Whether a status is shown as the generic application error. */
export function isApplicationError(status: number): boolean {
  return errorText(status) === otherFault;
}

/** Title and description of the document in which an error is shown. */
export function errorMeta(status: number): { title: string; description: string } {
  const { title, text } = errorText(status);
  return { title, description: text };
}
