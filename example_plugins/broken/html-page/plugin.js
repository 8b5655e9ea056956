<!doctype html>
<title>404: Not Found</title>
<p>The download saved the error page of the server in place of the plugin.</p>
