-- wrk: one request, given as method and body after `--`; the sums as one line of JSON at the end.

function init(arguments)
  wrk.method = arguments[1]
  if arguments[2] ~= "" then wrk.body = arguments[2] end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"answers":%d,"refusals":%d,"errors":%d,"microseconds":%d}\n',
    summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, summary.duration))
end
