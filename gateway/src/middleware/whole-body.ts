import { Problem } from '@colonnade/service/problem';
import type { Request, RequestHandler } from 'express';

/**
 * Reads the body of a POST before anything is sent on: it goes on with a length that this gateway has counted, so that no
 * upstream can see its end elsewhere, and it can be sent again after a refused connection.
 *
 * A body over the limit is refused while it arrives. The rest is read and thrown away, for the 10 s a request may take:
 * closing at once would reset the connection, and the visitor would not see the answer.
 */
export function wholeBody(limitBytes: number): RequestHandler {
  return async (req, res, next) => {
    if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      return next(new Problem(415, 'Unsupported media type', { detail: 'Send the body as it is, without a Content-Encoding.' }));
    }
    try {
      res.locals.body = await read(req, limitBytes);
    } catch (error) {
      // Torn off by its sender, or too slow: there is nobody to answer.
      return error instanceof Problem ? next(error) : undefined;
    }
    next();
  };
}

function read(req: Request, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => {
      req.off('data', take);
      reject(new Problem(413, 'Content too large', { detail: `A body may have at most ${limitBytes} bytes.` }));
      req.resume();
    };
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limitBytes) tooLarge();
      else chunks.push(chunk);
    };
    if (Number(req.headers['content-length']) > limitBytes) return tooLarge();
    req.on('data', take);
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('close', () => reject(new Error('the request broke off')));
    req.once('error', reject);
  });
}
