package class_test

var examples = []struct{ name, before, after, want string }{
	{
		"a canary rule on top",
		`host shop.example
		segments /orders -> orders
		prefix / -> web`,
		`host shop.example
		segments /orders x-env=canary -> canary
		segments /orders -> orders
		prefix / -> web`,
		`added, backend: [orders:80] -> [canary:80]
		  GET shop.example/orders x-env=canary
		  =shop.example /orders/ x-env=canary`,
	},
	{
		"weights",
		`host shop.example
		segments /api/v2 -> v2
		segments /api -> v1:9,v2:1`,
		`host shop.example
		segments /api/v2 -> v2
		segments /api -> v1:8,v2:2`,
		`changed, backend: [90% v1, 10% v2] -> [80% v1, 20% v2]
		  GET shop.example/api
		  =shop.example /api/ except /api/v2/`,
	},
	{
		"a prefix split into exact and prefix",
		`host shop.example
		segments /orders -> orders`,
		`host shop.example
		exact /orders -> orders
		prefix /orders/ -> orders`,
		`without effect: removed
		without effect: added
		without effect: added`,
	},
	{
		"a rule moved without effect",
		`host shop.example
		exact /a -> a
		exact /b -> b
		prefix / -> web`,
		`host shop.example
		exact /b -> b
		exact /a -> a
		prefix / -> web`,
		`without effect: moved`,
	},
	{
		"a rule added behind what covers it",
		`host shop.example
		exact /orders -> orders
		prefix /orders/ -> orders
		prefix / -> web`,
		`host shop.example
		exact /orders -> orders
		prefix /orders/ -> orders
		segments /orders x-env=canary -> canary
		prefix / -> web`,
		`without effect: added, covered by 0, covered by 1`,
	},
	{
		"covered by two conditions together",
		`host shop.example
		segments /a x-env -> present
		segments /a -> absent`,
		`host shop.example
		segments /a x-env -> present
		segments /a -> absent
		segments /a GET -> never`,
		`without effect: added, covered by 1`,
	},
	{
		"a rule that is gone",
		`host shop.example
		segments /legacy -> legacy`,
		`host shop.example
		exact /new -> new`,
		`removed, backend: [legacy:80] -> [404]
		  GET shop.example/legacy
		  =shop.example /legacy/
		added, backend: [404] -> [new:80]
		  GET shop.example/new
		  =shop.example =/new`,
	},
	{
		"a host below a wildcard",
		`host *.shop.example
		prefix / -> web`,
		`host *.shop.example
		prefix / -> web
		host pay.shop.example
		segments /pay -> pay
		prefix / -> web`,
		`host added, backend: [web:80] -> [pay:80]
		  GET pay.shop.example/pay
		  =pay.shop.example /pay/`,
	},
	{
		"a host that is gone",
		`host shop.example
		prefix / -> web
		host pay.example
		segments /pay -> pay
		prefix / -> web`,
		`host shop.example
		prefix / -> web`,
		`host removed, backend: [web:80] -> [404]
		  GET pay.example/
		  =pay.example any except /pay/
		host removed, backend: [pay:80] -> [404]
		  GET pay.example/pay
		  =pay.example /pay/`,
	},
	{
		"one route on two hosts",
		`host a.example
		prefix / -> old
		host b.example
		prefix / -> old`,
		`host a.example
		prefix / -> new
		host b.example
		prefix / -> new`,
		`changed, backend: [old:80] -> [new:80]
		  GET a.example/
		  =a.example,=b.example any`,
	},
	{
		"two values of one header",
		`host shop.example
		prefix / x-env=a -> a
		prefix / x-env=b -> b
		prefix / -> web`,
		`host shop.example
		prefix / x-env=b -> b
		prefix / x-env=a -> a
		prefix / -> web`,
		`moved, backend: [a:80] -> [b:80], only repeated
		  GET shop.example/ x-env=a x-env=b
		  =shop.example any x-env=a x-env=b`,
	},
	{
		"a header of one slot",
		`host shop.example
		prefix / accept=a -> a
		prefix / accept=b -> b
		prefix / -> web`,
		`host shop.example
		prefix / accept=b -> b
		prefix / accept=a -> a
		prefix / -> web`,
		`without effect: moved`,
	},
	{
		"a regular expression edited",
		`host shop.example
		regex /api/v[0-9]+ -> api
		prefix / -> web`,
		`host shop.example
		regex /api/v[0-9] -> api
		prefix / -> web`,
		`changed, backend: [api:80] -> [web:80]
		  GET shop.example/api/v00
		  =shop.example ~/api/v[0-9]+ except ~/api/v[0-9]`,
	},
	{
		"a regular expression on top",
		`host shop.example
		segments /orders -> orders
		segments /orders/admin -> orders-admin
		prefix / -> web`,
		`host shop.example
		regex .*/admin(/.*)? -> admin
		segments /orders -> orders
		segments /orders/admin -> orders-admin
		prefix / -> web`,
		`added, backend: [web:80] -> [admin:80]
		  GET shop.example/admin
		  =shop.example ~.*/admin(/.*)? except /orders/
		added, backend: [orders:80] -> [admin:80]
		  GET shop.example/orders/admin
		  =shop.example /orders/ within ~.*/admin(/.*)?`,
	},
	{
		"a rule that changes its match",
		`host shop.example
		segments /a -> a
		prefix / -> web`,
		`host shop.example
		exact /a -> a
		prefix / -> web`,
		`changed, backend: [a:80] -> [web:80]
		  GET shop.example/a/
		  =shop.example /a/ except =/a`,
	},
	{
		"the catch-all, behind conditions",
		`host shop.example
		segments /orders POST -> orders
		segments /orders ?debug=true -> debug
		prefix / -> web`,
		`host shop.example
		segments /orders POST -> orders
		segments /orders ?debug=true -> debug
		prefix / -> new`,
		`changed, backend: [web:80] -> [new:80]
		  GET shop.example/
		  =shop.example any except /orders/
		  =shop.example /orders/ not:=POST not:?debug=true`,
	},
}
